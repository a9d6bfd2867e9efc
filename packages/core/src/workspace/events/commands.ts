/** The event feed. */
import { ListEvents } from "./commands/ListEvents.ts"

/** The commands of this domain. */
export const commands = [ListEvents] as const
