/** What happened with a lead, newest first, a page at a time. */
import { useMemo } from "preact/hooks"
import { Card } from "../list/Detail.tsx"
import { Entries } from "../list/Entries.tsx"
import { actorName } from "../live/People.ts"
import { type Listing, listing, pageOf } from "../place/Listing.ts"
import { dateAndTime } from "../queue/times.ts"
import { people } from "../screen/state.ts"
import { run } from "../service/request.ts"
import type { Happening } from "./facts.ts"
import { happeningName, happeningText } from "./happenings.ts"
import { leadEvents } from "./list.ts"

/** The timeline of a lead, which is read when it is shown. */
export const useTimeline = (lead_id: string): Listing<Happening> =>
  useMemo(
    () =>
      listing<Happening>(
        ({ id }) => id,
        leadEvents,
        async (_, page) => pageOf(await run("lead.timeline", { lead_id, ...page }), "events")
      ),
    [lead_id]
  )

/** The timeline. */
export const Timeline = ({ timeline }: { readonly timeline: Listing<Happening> }) => (
  <Card title="Timeline">
    <Entries
      list={timeline}
      entry={(one) => {
        const { actor, at, data } = one
        const item = data["import_id"]
        return {
          name: happeningName(one),
          to: typeof item === "string" ? { place: "import", item } : undefined,
          about: [dateAndTime(at), actor && actorName(people.value, actor.kind, actor.id)],
          below: happeningText(one)
        }
      }}
    />
  </Card>
)
