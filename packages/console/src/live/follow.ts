/** Follows the event feed, and tells others who looks at what. */
import { signal } from "@preact/signals"
import { queue, readCounts, readItem, selected } from "../queue/reading.ts"
import { details, pause, people, session } from "../screen/state.ts"
import { readResource, run } from "../service/request.ts"
import type { FeedEvent } from "../service/shapes.ts"
import { actorName, peopleOf } from "./People.ts"

/** The events that were read last, for what they make stale in other places. */
export const feed = signal<ReadonlyArray<FeedEvent>>([])

/** Others who look at the selected item. */
export const viewers = signal<ReadonlyArray<{ readonly name: string; readonly since: string }>>([])

const pollEvery = 3000

const maxPollEvery = 30_000

const viewEvery = 8000

const limit = 100

/** Events that are read at once. */
const maxBehind = 500

let after: number | undefined

let timer: ReturnType<typeof setTimeout> | undefined

let failures = 0

/** Reads the names again where an actor is not known yet. */
const readPeople = async (events: ReadonlyArray<FeedEvent>): Promise<void> => {
  const isKnown = ({ actor }: FeedEvent) => actor.kind === "SYSTEM" || people.value.has(`${actor.kind} ${actor.id}`)
  if (people.value.size > 0 && events.every(isKnown)) return
  const found = await run("review.people", {})
  if (found.ok) people.value = peopleOf(found.data)
}

const head = async (): Promise<void> => {
  const found = await readResource<{ events: ReadonlyArray<FeedEvent> }>("svc://events/recent")
  if (found.ok) after = found.data.events[0]?.sequence ?? 0
}

/**
 * Reads the events since the last time, so that what they make stale is read again once. After more than a few pages, as while
 * thousands are imported, it begins at the end of the feed. False when the service can't be asked.
 */
const readNew = async (events: Array<FeedEvent>): Promise<boolean> => {
  while (after !== undefined && events.length < maxBehind) {
    const found = await run("event.list", { after, limit })
    if (!found.ok) {
      // The feed does not go back that far: begin at its end.
      if (found.problem.code === "INVALID_CURSOR") after = undefined
      return false
    }
    after = found.data.next
    events.push(...found.data.events)
    if (found.data.events.length < limit) return true
  }
  await head()
  return true
}

const take = async (): Promise<boolean> => {
  if (after === undefined) {
    await Promise.all([head(), readPeople([])])
    return after !== undefined
  }
  const events: Array<FeedEvent> = []
  const isRead = await readNew(events)
  if (events.length === 0) return isRead
  await readPeople(events)
  const mine = events.filter(({ type }) => queue.events.test(type))
  const by = new Map(mine.map(({ actor, subject }) => [subject.id, actorName(people.value, actor.kind, actor.id)]))
  for (const [id, name] of by) if (details.value.has(id)) void readItem(id, name)
  feed.value = events
  if (mine.length > 0) await readCounts()
  return isRead
}

/** Reads what happened since the last time: after a change made here, and again and again. */
export const poll = async (): Promise<void> => {
  clearTimeout(timer)
  const isOff = document.hidden || session.value.state !== "in" || (pause.value?.until ?? 0) > Date.now()
  failures = isOff || (await take()) ? 0 : failures + 1
  timer = setTimeout(poll, Math.min(maxPollEvery, pollEvery * 2 ** failures))
}

const view = async (): Promise<void> => {
  const item_id = selected.value
  if (item_id === undefined || document.hidden || session.value.state !== "in") return
  const found = await run("review.open", { item_id })
  if (selected.value === item_id) viewers.value = found.ok ? found.data.viewers : []
}

let viewTimer: ReturnType<typeof setTimeout> | undefined

/** Says who looks at the selected item, once it is looked at for a second. */
export const lookAt = (): void => {
  viewers.value = []
  clearTimeout(viewTimer)
  viewTimer = setTimeout(function again() {
    void view()
    viewTimer = setTimeout(again, viewEvery)
  }, 1000)
}

/** Starts following. */
export const follow = (): void => {
  void poll()
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) void poll()
  })
}
