/** The right column: who would receive it, and why. */

import { perform, pressed } from "../keys/actions.ts"
import { Card, Facts } from "../list/Detail.tsx"
import { EntryList } from "../list/Entries.tsx"
import { dateAndTime } from "../queue/times.ts"
import type { Mail } from "../replies/mailed.ts"
import { Icon } from "../screen/Icon.tsx"
import { Link } from "../screen/Link.tsx"
import type { Details } from "../service/shapes.ts"
import { Name, Prose } from "../text/Prose.tsx"
import { statusText } from "./statuses.ts"

type Person = NonNullable<Details["lead"]>

const isWeb = (url: string): boolean => /^https?:\/\//i.test(url)

const About = ({ lead }: { readonly lead: Person }) => (
  <Card name="Lead" title={<Name>{lead.name}</Name>}>
    <Prose text={[lead.job_title, lead.company_name].filter(Boolean).join(", ")} />
    {lead.headline !== null && <Prose class="quiet" text={lead.headline} />}
    <Prose class="quiet" text={[lead.location, lead.email].filter(Boolean).join(" · ")} />
    <p>
      <span class="sign">{statusText(lead.status)}</span> <Link to={{ place: "leads", item: lead.lead_id }}>Open</Link>{" "}
      {lead.linkedin_url !== null && isWeb(lead.linkedin_url) && (
        <a href={lead.linkedin_url} target="_blank" rel="noreferrer noopener">
          <Icon name="link" /> LinkedIn
        </a>
      )}
    </p>
  </Card>
)

type Message = Pick<Details["thread"][number], "at" | "direction" | "text"> & { readonly mail?: Mail }

const MailParts = ({ attachments, quoted }: Mail) => (
  <>
    {quoted !== "" && (
      <details class="folded">
        <summary>Quoted text</summary>
        <Prose class="quiet small" text={quoted} />
      </details>
    )}
    {attachments.length > 0 && <Prose class="small" text={`Attached, not kept here: ${attachments.join(", ")}`} />}
  </>
)

/** What was sent and received. */
export const Thread = ({ thread }: { readonly thread: ReadonlyArray<Message> }) =>
  thread.length === 0 ? null : (
    <Card title="Conversation">
      <ol class="thread stack">
        {thread.map(({ at, direction, mail, text }) => (
          <li key={`${at} ${text}`} class={direction}>
            {mail?.subject && <Prose class="subject" text={mail.subject} />}
            <Prose text={text} />
            {mail && <MailParts {...mail} />}
            <time class="quiet tiny" dateTime={at}>
              {direction === "inbound" ? "Received" : "Sent"} {dateAndTime(at)}
              {mail?.mailbox && ` ${direction === "inbound" ? "at" : "from"} ${mail.mailbox}`}
            </time>
          </li>
        ))}
      </ol>
    </Card>
  )

const briefNames = [
  ["objective", "Objective"],
  ["target_audience", "Audience"],
  ["why_we_contact_them", "Why them"],
  ["key_message", "Key message"],
  ["desired_action", "Desired action"],
  ["tone_instructions", "Tone"],
  ["description", "Description"]
] as const

interface LeadColumnProps {
  readonly details: Details | undefined
  /** Whether the conversation is shown elsewhere. */
  readonly hasThread?: boolean
}

/** The column. */
export const LeadColumn = ({ details, hasThread = true }: LeadColumnProps) => {
  const { lead, mission } = details ?? {}
  const score = Math.round(lead?.score ?? 0)
  return (
    <aside class="lead" aria-label="Lead and mission" tabIndex={0}>
      <button type="button" class="from-lead" onClick={() => perform("lead", pressed())}>
        Close <kbd>Esc</kbd>
      </button>
      {lead && <About lead={lead} />}
      {details !== undefined && hasThread && <Thread thread={details.thread} />}
      {lead && score > 0 && (
        <Card title={`Score ${score}`}>
          <EntryList entries={lead.score_reasons.map((name) => ({ name }))} />
        </Card>
      )}
      {lead && lead.posts.length > 0 && (
        <Card title="Posts">
          <EntryList entries={lead.posts.map(({ date: name, text: below }) => ({ name, below }))} />
        </Card>
      )}
      {mission && (
        <Card name="Mission" title={<Name>{mission.name}</Name>}>
          <Facts
            facts={briefNames.map(([name, text]) => [
              text,
              mission.brief[name] && <Prose text={mission.brief[name]} />
            ])}
          />
        </Card>
      )}
      {details?.offer && (
        <Card name="Offer" title={<Name>{details.offer.name}</Name>}>
          <EntryList entries={details.offer.proof.map((name) => ({ name }))} />
        </Card>
      )}
    </aside>
  )
}
