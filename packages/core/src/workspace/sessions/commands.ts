/** Signing in to the review page. */
import { CreateSessionLink } from "./commands/CreateSessionLink.ts"

/** The commands of this domain. */
export const commands = [CreateSessionLink] as const
