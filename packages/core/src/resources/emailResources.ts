/** Resources of e-mail. */
import { ListReviews } from "../email/commands/ListReviews.ts"
import * as Resource from "../Resource.ts"

/** `svc://email/reviews`. */
export const reviewsResource = Resource.make({
  uri: "svc://email/reviews",
  name: "email-reviews",
  title: "E-mail reviews",
  summary: "E-mails that wait for a decision, newest first, at most 100.",
  description: "The first 100 e-mails under review with their texts and the content_hash that a decision repeats.",
  category: "email",
  scope: ListReviews.scope,
  relatedCommands: ["email.review.list", "email.review.decide", "email.list"],
  params: Resource.noParams,
  example: {},
  payload: ListReviews.output,
  read: () => ListReviews.run({ limit: 100 })
})
