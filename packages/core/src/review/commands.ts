/** Review: what other parts of core may use. */
import { CountReview } from "./commands/CountReview.ts"
import { GetReviewItem } from "./commands/GetReviewItem.ts"
import { ListReview } from "./commands/ListReview.ts"
import { OpenReviewItem } from "./commands/OpenReviewItem.ts"

/** The commands of this domain. */
export const commands = [ListReview, CountReview, GetReviewItem, OpenReviewItem] as const
