/** E-mail to leads: written, reviewed, sent. */
import { CancelEmail } from "./commands/CancelEmail.ts"
import { DecideReview } from "./commands/DecideReview.ts"
import { ListEmails } from "./commands/ListEmails.ts"
import { ListReviews } from "./commands/ListReviews.ts"
import { ResolveEmail } from "./commands/ResolveEmail.ts"
import { SendEmail } from "./commands/SendEmail.ts"

/** The commands of this domain. */
export const commands = [SendEmail, ListEmails, CancelEmail, ResolveEmail, ListReviews, DecideReview] as const
