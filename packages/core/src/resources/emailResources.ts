/** Resources for e-mail. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ListReviews } from "../email/commands/ListReviews.ts"
import { Email } from "../email/Email.ts"
import { NotFound } from "../kernel/failure/failures.ts"
import * as Resource from "../kernel/resource/Resource.ts"
import { firstPage, furtherPage, NextUri } from "./pages.ts"

const shownReviews = 10
const reviewsUri = "svc://email/reviews"

const readReviews = Effect.fnUntraced(function* (cursor: string) {
  const given = cursor === firstPage ? {} : { cursor }
  const { next_cursor, reviews } = yield* ListReviews.run({ limit: shownReviews, ...given }).pipe(
    Effect.catchTag("InvalidCursor", () => Effect.fail(new NotFound({ kind: "page", id: cursor.slice(0, 64) })))
  )
  return { reviews, next_uri: next_cursor === null ? null : `${reviewsUri}/${next_cursor}` }
})

const reviewTexts = {
  category: "email",
  scope: "email:read",
  relatedCommands: ["email.review.list", "email.review.decide", "email.list"],
  payload: Schema.Struct({ reviews: Schema.Array(Email), next_uri: NextUri }),
  failures: [NotFound]
} as const

/** `svc://email/reviews`: the first page. */
export const reviewsResource = Resource.make({
  ...reviewTexts,
  uri: reviewsUri,
  name: "email-reviews",
  title: "Email reviews",
  summary: `Emails under review, newest first, ${shownReviews} a page`,
  description:
    "Every email under review, with its texts and the content_hash to send with a decision. Read next_uri for the next page.",
  params: Resource.noParams,
  example: {},
  read: () => readReviews(firstPage)
})

/** `svc://email/reviews/{cursor}`: a further page. */
export const moreReviewsResource = Resource.make({
  ...reviewTexts,
  uri: `${reviewsUri}/{cursor}`,
  name: "more-email-reviews",
  title: "More email reviews",
  summary: "A further page of the emails under review",
  description: "The page that next_uri of the page before names; first is the first page.",
  ...furtherPage,
  read: ({ cursor }) => readReviews(cursor)
})
