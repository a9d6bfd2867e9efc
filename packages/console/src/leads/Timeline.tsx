/** What happened with a lead, newest first, a page at a time. */
import { useEffect, useMemo } from "preact/hooks"
import { Card } from "../list/Detail.tsx"
import { Entries } from "../list/Entries.tsx"
import { actorName } from "../live/People.ts"
import { useEvents } from "../live/useEvents.ts"
import { type Listing, listing, pageOf } from "../place/Listing.ts"
import { dateAndTime } from "../queue/times.ts"
import { people } from "../screen/state.ts"
import { run } from "../service/request.ts"
import type { Happening } from "./facts.ts"
import { happeningName, happeningText } from "./happenings.ts"
import { leadEvents } from "./list.ts"

/** Reads the timeline of a lead, and again after events. */
export const useTimeline = (lead_id: string): Listing<Happening> => {
  const timeline = useMemo(
    () =>
      listing<Happening>(
        ({ id }) => id,
        leadEvents,
        async (_, page) => pageOf(await run("lead.timeline", { lead_id, ...page }), "events")
      ),
    [lead_id]
  )
  useEffect(() => void timeline.open({}), [timeline])
  useEvents(leadEvents, timeline.refresh)
  return timeline
}

/** The timeline. */
export const Timeline = ({ timeline }: { readonly timeline: Listing<Happening> }) => {
  const { cursor, items, problem } = timeline.rows.value
  return (
    <Card title="Timeline">
      {problem !== undefined && <p class="part-problem warning">{problem}</p>}
      <Entries
        entries={items.map((one) => {
          const { actor, at, data, id } = one
          const who = actor === null ? "" : ` · ${actorName(people.value, actor.kind, actor.id)}`
          const item = data["import_id"]
          const to = typeof item === "string" ? ({ place: "import", item } as const) : undefined
          return { id, to, text: happeningName(one), info: dateAndTime(at) + who, below: happeningText(one) }
        })}
      />
      {cursor !== null && (
        <button type="button" onClick={() => void timeline.more()}>
          Show more
        </button>
      )}
    </Card>
  )
}
