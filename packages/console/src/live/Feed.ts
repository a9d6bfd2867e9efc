/** What events of the service mean for the page. Pure. */
import type { FeedEvent } from "../service/shapes.ts"
import { actorName, type People } from "./People.ts"

/** What to read again. */
interface Stale {
  /** Items that changed, with who changed them last. */
  readonly items: ReadonlyMap<string, string>
  /** Whether the queue and its totals changed. */
  readonly queue: boolean
}

const kinds = /^(draft|email|approval|invitation|message|lead|reply|linkedin|queue)\b/

/** What a page of events makes stale. */
export const staleOf = (events: ReadonlyArray<FeedEvent>, people: People): Stale => {
  const mine = events.filter(({ type }) => kinds.test(type))
  return {
    items: new Map(mine.map((event) => [event.subject.id, actorName(people, event.actor.kind, event.actor.id)])),
    queue: mine.length > 0
  }
}
