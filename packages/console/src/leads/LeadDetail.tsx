/** A lead's page: who it is, what waits, what was said, and what may be done. */
import { useEffect } from "preact/hooks"
import { followUpName } from "../draft/origin.ts"
import { Thread } from "../lead/Lead.tsx"
import { statuses } from "../lead/statuses.ts"
import { Acts } from "../list/Acts.tsx"
import { Card, Detail, Facts, Read, useReading } from "../list/Detail.tsx"
import { EntryList } from "../list/Entries.tsx"
import { camelCase } from "../missions/fields.ts"
import { channelName, titleCase } from "../missions/words.ts"
import { go } from "../place/route.ts"
import { dateAndTime } from "../queue/times.ts"
import { setStatus } from "../replies/acting.ts"
import { Link } from "../screen/Link.tsx"
import { people, say } from "../screen/state.ts"
import { ownFields } from "../service/names.ts"
import { run } from "../service/request.ts"
import { Name } from "../text/Prose.tsx"
import * as acts from "./acts.ts"
import { type Found, factFields, factSource, factsOf, factText, type Lead } from "./facts.ts"
import { followUpActs } from "./followUps.ts"
import { actionName } from "./happenings.ts"
import { leadEvents } from "./list.ts"
import { ownFormField, ownPrefix } from "./ownFields.ts"
import { Timeline, useTimeline } from "./Timeline.tsx"

interface Part {
  readonly lead: Lead
  readonly context: Found["prospect_context"]
  readonly again: () => Promise<void>
}

const Status = ({ again, context, lead }: Part) => (
  <Card title="Status">
    <div class="choices" role="group" aria-label="Status" id="statuses">
      <Acts
        acts={statuses.map(([status, text]) => ({
          text,
          isPressed: status === lead.status,
          run: () =>
            status === lead.status
              ? say(`The status is ${text} already.`)
              : setStatus({ lead_id: lead.id, name: lead.name }, status, again)
        }))}
      />
    </div>
    {context.next_action !== null && <p>{actionName(context.next_action.kind)}.</p>}
  </Card>
)

const FollowUp = ({ again, context: { follow_up }, lead }: Part) => {
  if (follow_up === null) return null
  const { channel, due_at, evidence } = follow_up
  const content = {
    name: followUpName(follow_up),
    about: [channelName(channel), `due ${dateAndTime(due_at)}`],
    below: evidence && `Evidence wanted: ${evidence}`,
    actions: followUpActs({ ...follow_up, lead_id: lead.id, name: lead.name }, again)
  }
  return (
    <Card title="Next follow-up">
      <EntryList entries={[content]} />
    </Card>
  )
}

const domainOf = ({ email }: Lead): string | undefined => email?.slice(email.lastIndexOf("@") + 1)

const Exclusion = ({ again, lead }: Part) => {
  const identifiers = [lead.id, domainOf(lead)].filter((one) => one !== undefined)
  const { reading } = useReading(() => run("lead.suppression.check", { identifiers }), /^lead\./)
  const [person, domain] = (reading.value.data?.results ?? []).map((one) => (one.suppressed ? one : undefined))
  // A person at an excluded domain is excluded by it.
  const isByDomain = domain?.reason === person?.reason && domain?.until === person?.until
  const found = [isByDomain ? undefined : person, domain].filter((one) => one !== undefined)
  if (found.length === 0) return null
  return (
    <Card title="Excluded from contact">
      <EntryList
        entries={found.map(({ identifier, kind, reason, until }) => {
          const isDomain = kind === "domain"
          const name = isDomain ? `Everyone at ${identifier}` : lead.name
          const target = isDomain ? { domain: identifier } : { lead_id: lead.id }
          return {
            name,
            about: [until === null ? "for good" : `until ${dateAndTime(until)}`],
            below: reason?.startsWith("status ") === true ? "" : reason,
            actions: [["Allow contact", () => acts.lift(name, target, again)]]
          }
        })}
      />
    </Card>
  )
}

const Missions = ({ again, context, lead }: Part) => (
  <Card title="Missions">
    <EntryList
      empty="In no mission."
      entries={context.missions.map((mission) => ({
        name: mission.name,
        to: { place: "missions", item: mission.mission_id },
        about: [titleCase(mission.status), `added ${dateAndTime(mission.linked_at)}`],
        actions: [["Remove", () => acts.removeFromMission(lead, mission, again)]]
      }))}
    />
  </Card>
)

const states: Readonly<Record<string, string>> = {
  pending_review: "in review",
  ready_to_send: "approved",
  ambiguous: "unknown whether it was sent"
}

const Drafts = ({ lead }: Part) => {
  const { reading } = useReading(async () => {
    const input = { lead_id: lead.id, limit: 10 }
    const [drafts, emails] = await Promise.all([run("linkedin.draft.list", input), run("email.list", input)])
    if (!drafts.ok) return drafts
    const rows = [
      ...drafts.data.drafts.map((draft) => {
        const text = draft.selected_body_text ?? draft.variations[0]?.body_text
        return { ...draft, id: draft.draft_id, what: "Message", text, state: draft.status.toLowerCase() }
      }),
      ...(emails.ok
        ? emails.data.emails.map((one) => ({ ...one, id: one.email_id, what: "Email", text: one.subject }))
        : [])
    ]
    return { ...drafts, data: rows.toSorted((a, b) => b.updated_at.localeCompare(a.updated_at)) }
  }, leadEvents)
  const rows = reading.value.data ?? []
  return rows.length === 0 ? null : (
    <Card title="Drafts and emails">
      <EntryList
        entries={rows.map(({ agent, id, state, text, updated_at, what }) => ({
          name: `${what} from ${agent.name}`,
          to: { place: "review", item: id },
          about: [states[state] ?? state.replaceAll("_", " "), dateAndTime(updated_at)],
          below: text?.slice(0, 120)
        }))}
      />
    </Card>
  )
}

const Fit = ({ lead }: Part) => {
  const { reading } = useReading(() => run("lead.score.explain", { lead_id: lead.id }), /^lead\.updated/)
  const fit = reading.value.data
  return fit === undefined ? null : (
    <Card title="Score">
      <Facts
        facts={[
          ["Score", fit.score > 0 && String(Math.round(fit.score))],
          ["Estimate", String(Math.round(fit.estimate))],
          ...fit.parts.map(({ most, name, points, why }) => [name, `${points} of ${most}. ${why}`] as const)
        ]}
      />
    </Card>
  )
}

const SameName = ({ lead }: Part) => {
  const { reading } = useReading(() => run("lead.search", { query: lead.name, limit: 5 }), /^lead\.(created|merged)/)
  const isOther = ({ lead_id, name }: { readonly lead_id: string; readonly name: string }) =>
    lead_id !== lead.id && name.toLowerCase() === lead.name.toLowerCase()
  const others = (reading.value.data?.leads ?? []).filter(isOther)
  return others.length === 0 ? null : (
    <Card title="Others with this name">
      <EntryList
        entries={others.map(({ company, email, lead_id: id, name }) => ({
          name: `Compare with ${name}`,
          to: { place: "leads", item: `${lead.id}.${id}`, query: { tab: "duplicates" } },
          about: [company, email]
        }))}
      />
    </Card>
  )
}

const factOf = (value: string, source: string | undefined) =>
  value && (
    <>
      {/^https?:\/\//i.test(value) ? (
        <a href={value} target="_blank" rel="noreferrer noopener">
          {value}
        </a>
      ) : (
        <Name>{value}</Name>
      )}{" "}
      <span class="quiet tiny">{source}</span>
    </>
  )

const Page = ({ again: readAgain, found }: Pick<Part, "again"> & { readonly found: Found }) => {
  const { basis, lead, prospect_context: context } = found
  const timeline = useTimeline(lead.id)
  const values = factsOf(lead, found)
  const fields = [...factFields, ...ownFields.value.map((one) => ownFormField(one))]
  const sourceOf = (name: string) =>
    factSource(name.startsWith(ownPrefix) ? name : camelCase(name), timeline.rows.value.items, people.value)
  const again = async () => {
    await Promise.all([readAgain(), timeline.refresh()])
  }
  const domain = domainOf(lead)
  const toStatus = () => document.querySelector<HTMLElement>("#statuses [aria-pressed=true]")?.focus()
  const part = { again, context, lead }
  return (
    <Detail
      title={lead.name}
      about={<Name>{[lead.jobTitle, lead.company].filter(Boolean).join(", ")}</Name>}
      acts={[
        { text: "Note", key: "n", run: () => acts.addNote(lead, again) },
        { text: "Status", key: "s", run: toStatus },
        { text: "Add to mission", key: "m", run: () => acts.addToMission(lead, again) },
        { text: "Edit", key: "c", run: () => acts.editFacts(found, again) },
        { text: "Exclude", key: "d", run: () => acts.exclude(lead.name, { lead_id: lead.id }, again) },
        domain !== undefined && {
          text: `Exclude ${domain}`,
          run: () => acts.exclude(`everyone at ${domain}`, { domain }, again)
        },
        { text: "Export", run: () => void acts.exportLead(lead) },
        { text: "Erase", run: () => acts.erase(lead) }
      ]}
    >
      <Exclusion key={JSON.stringify(context.suppression)} {...part} />
      <Status {...part} />
      <FollowUp {...part} />
      <Card title="Facts">
        <Facts
          facts={[
            ...fields.map((one) => [one.label, factOf(factText(one, values[one.name]), sourceOf(one.name))] as const),
            ["Kept until", basis.kept_until !== null && dateAndTime(basis.kept_until)]
          ]}
        />
      </Card>
      <Missions {...part} />
      <Thread
        thread={context.conversation.map(({ content: text, date: at, direction }) => ({ at, direction, text }))}
      />
      {context.conversation.some(({ direction }) => direction === "inbound") && (
        <p>
          <Link to={{ place: "replies", item: lead.id }}>Open the conversation</Link>
        </p>
      )}
      <Drafts {...part} />
      <Fit {...part} />
      <SameName {...part} />
      <Timeline timeline={timeline} />
    </Detail>
  )
}

/** The page of a lead, by its id. The id of a merged one shows the lead that it was merged into. */
export const LeadDetail = ({ id }: { readonly id: string }) => {
  const { reading, refresh } = useReading(() => run("lead.get", { lead_id: id }), leadEvents)
  const found = reading.value.data?.lead_id
  useEffect(() => {
    if (found !== undefined && found !== id) go({ item: found }, "replace")
  }, [found])
  return (
    <Read reading={reading} refresh={refresh}>
      {(found) => <Page found={found} again={refresh} />}
    </Read>
  )
}
