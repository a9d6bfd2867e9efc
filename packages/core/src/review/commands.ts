/** Review: what other parts of core may use. */
import { CountReview } from "./commands/CountReview.ts"
import { GetReviewItem } from "./commands/GetReviewItem.ts"
import { ListPeople } from "./commands/ListPeople.ts"
import { ListReview } from "./commands/ListReview.ts"
import { OpenReviewItem } from "./commands/OpenReviewItem.ts"

/** The commands of this domain. */
export const commands = [ListReview, CountReview, GetReviewItem, OpenReviewItem, ListPeople] as const
