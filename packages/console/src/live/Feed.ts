/** What events of the service mean for the page. Pure. */
import type { FeedEvent } from "../service/shapes.ts"

/** What to read again. */
interface Stale {
  /** Items that changed, with who changed them last. */
  readonly items: ReadonlyMap<string, string>
  /** Whether the queue and its totals changed. */
  readonly queue: boolean
}

const kinds = /^(draft|email|approval|invitation|message|lead|reply|linkedin|queue)\b/

const nameOf = ({ actor }: FeedEvent): string => {
  if (actor.kind === "SYSTEM") return "the service"
  return actor.kind === "AI_AGENT" ? `AI agent ${actor.id}` : actor.id
}

/** What a page of events makes stale. */
export const staleOf = (events: ReadonlyArray<FeedEvent>): Stale => {
  const mine = events.filter(({ type }) => kinds.test(type))
  return {
    items: new Map(mine.map((event) => [event.subject.id, nameOf(event)])),
    queue: mine.length > 0
  }
}
