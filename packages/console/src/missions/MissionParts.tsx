/** What a mission came to, and what is next. */
import type { RestMission } from "@svc/core/missions"
import { Card, Facts, Read, ReadCard, useReading } from "../list/Detail.tsx"
import { EntryList } from "../list/Entries.tsx"
import { Table } from "../list/Table.tsx"
import { firstDay } from "../overview/Activity.ts"
import { Plots } from "../overview/ActivityView.tsx"
import type { Target } from "../place/route.ts"
import { Link } from "../screen/Link.tsx"
import { run } from "../service/request.ts"
import type { ResultOf } from "../service/shapes.ts"
import { Name } from "../text/Prose.tsx"
import { counted, rate, rateBetween } from "./words.ts"

interface Props {
  readonly mission: RestMission
}

const shownActions = 6
const shownDays = 30

const events = /^(mission|lead|draft|message|invitation|email|import)\./

const linkTo = (text: string, to: Target) => (
  <Link key={text} to={to}>
    {text}
  </Link>
)

type Works = ResultOf<"mission.stats">["stats"]["what_works"]

const rowsOf = ({ steps, variations, writers }: Works) => [
  ...steps.map((one) => [one.step ? `Follow-up ${one.step}` : "First messages", one] as const),
  ...variations.map(
    (one) => [one.variation_index === null ? "Emails" : `Variation ${one.variation_index + 1}`, one] as const
  ),
  ...writers.map((one) => {
    const { kind, model } = one.writer
    return [["By", kind === "USER" ? "people" : "AI agents", model].filter(Boolean).join(" "), one] as const
  })
]

const WhatWorks = ({ works }: { readonly works: Works }) => (
  <Card title="What works">
    <p class="quiet">With 95 % intervals: where two overlap, a difference may be chance.</p>
    <Table label="Results of messages" head={["Messages", "People", "Accepted", "Replied", "Positive"]}>
      {rowsOf(works).map(([name, { accepted, contacted, invited, positive, rates, replied }]) => (
        <tr key={name}>
          <th scope="row">
            <Name>{name}</Name>
          </th>
          <td>{contacted}</td>
          <td>{rateBetween(rates.accepted, accepted, invited)}</td>
          <td>{rateBetween(rates.replied, replied, contacted)}</td>
          <td>{rateBetween(rates.positive, positive, contacted)}</td>
        </tr>
      ))}
    </Table>
  </Card>
)

/** Its counts and rates, with links to what they count. */
export const State = ({ mission: { agentHandle, handle, id, status } }: Props) => {
  const stats = useReading(() => run("mission.stats", { mission_id: id }), events)
  const works = stats.reading.value.data?.stats.what_works
  return (
    <>
      <Card title="State">
        {status === "PAUSED" && <p class="warning part-problem">Won't send while the mission is paused.</p>}
        <Read {...stats}>
          {({ stats: { drafts, ...counts } }) => (
            <Facts
              facts={[
                ["Agent", agentHandle !== "" && linkTo(agentHandle, { place: "agents", item: agentHandle })],
                ["Leads", linkTo(counted(counts.leads, "lead"), { place: "leads", query: { mission_id: id } })],
                [
                  "To review",
                  linkTo(counted(drafts.PENDING_REVIEW, "draft"), { place: "review", query: { mission_id: id } })
                ],
                ["Approved", drafts.READY_TO_SEND > 0 && counted(drafts.READY_TO_SEND, "message")],
                ["Contacted", rate(counts.contacted, counts.leads)],
                ["Accepted", rate(counts.invitations_accepted, counts.invitations_sent)],
                ["Replied", rate(counts.replied, counts.contacted)],
                ["Positive", rate(counts.positive, counts.replied)],
                ["Meetings", counts.meetings > 0 && String(counts.meetings)]
              ]}
            />
          )}
        </Read>
        {status !== "ARCHIVED" && (
          <p>
            <Link to={{ place: "import", query: { mission: handle } }}>Import people into this mission</Link>
          </p>
        )}
      </Card>
      {works && works.steps.length > 0 && <WhatWorks works={works} />}
    </>
  )
}

/** The first things to do. */
export const Next = ({ mission: { id } }: Props) => (
  <ReadCard
    title="What is next"
    read={() => run("mission.next-actions", { mission_id: id, limit: shownActions })}
    events={events}
  >
    {({ actions }) => (
      <EntryList
        empty="Nothing to do in this mission."
        entries={actions.map(({ lead_id: item, name, why }) => ({ name, to: { place: "leads", item }, about: [why] }))}
      />
    )}
  </ReadCard>
)

/** What happened in the last weeks. */
export const Activity = ({ mission: { id } }: Props) => (
  <ReadCard
    title="Last 30 days"
    read={() => run("mission.activity", { mission_id: id, from: firstDay(shownDays, Date.now()) })}
    events={events}
  >
    {(data) =>
      data.missions.length === 0 ? <p class="quiet">Nothing happened in this period.</p> : <Plots activity={data} />
    }
  </ReadCard>
)
