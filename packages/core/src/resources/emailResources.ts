/** Resources for e-mail. */
import { ListReviews } from "../email/commands/ListReviews.ts"
import * as Resource from "../kernel/resource/Resource.ts"

/** `svc://email/reviews`. */
export const reviewsResource = Resource.ofCommand(ListReviews, {
  uri: "svc://email/reviews",
  name: "email-reviews",
  title: "Email reviews",
  summary: "Emails under review, newest first, at most 10",
  description:
    "The first 10 emails under review, with their texts and the content_hash to send with a decision. Pass next_cursor to " +
    "email.review.list for more.",
  relatedCommands: ["email.review.list", "email.review.decide", "email.list"],
  params: Resource.noParams,
  example: {},
  input: () => ({ limit: 10 })
})
