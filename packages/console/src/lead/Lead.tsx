/** The right column: who would receive it, and why. */

import { perform, pressed } from "../keys/actions.ts"
import { Card } from "../list/Detail.tsx"
import { dateAndTime } from "../queue/times.ts"
import { Icon } from "../screen/Icon.tsx"
import { current } from "../screen/state.ts"
import type { Details } from "../service/shapes.ts"

type Person = NonNullable<Details["lead"]>

const isWeb = (url: string): boolean => /^https?:\/\//i.test(url)

const Lines = ({ lines }: { readonly lines: ReadonlyArray<string> }) => (
  <ul class="plain-list">
    {lines.map((line) => (
      <li key={line}>{line}</li>
    ))}
  </ul>
)

const About = ({ lead }: { readonly lead: Person }) => (
  <Card name="Lead" title={lead.name}>
    <p>{[lead.job_title, lead.company_name].filter(Boolean).join(", ")}</p>
    {lead.headline !== null && <p class="quiet">{lead.headline}</p>}
    <p class="quiet">{[lead.location, lead.email].filter(Boolean).join(" · ")}</p>
    <p>
      <span class="pill tiny">{lead.status}</span>{" "}
      {lead.linkedin_url !== null && isWeb(lead.linkedin_url) && (
        <a href={lead.linkedin_url} target="_blank" rel="noreferrer noopener">
          <Icon name="link" /> LinkedIn
        </a>
      )}
    </p>
  </Card>
)

const Thread = ({ thread }: Pick<Details, "thread">) =>
  thread.length === 0 ? null : (
    <Card name="Conversation" title="Conversation">
      <ol class="thread stack">
        {thread.map(({ at, direction, text }) => (
          <li key={`${at} ${text}`} class={direction}>
            <p>{text}</p>
            <time class="quiet tiny" dateTime={at}>
              {direction === "inbound" ? "Received" : "Sent"} {dateAndTime(at)}
            </time>
          </li>
        ))}
      </ol>
    </Card>
  )

const Posts = ({ posts }: Pick<Person, "posts">) =>
  posts.length === 0 ? null : (
    <Card name="Posts" title="Posts">
      <ul class="plain-list">
        {posts.map(({ date, text }) => (
          <li key={`${date} ${text}`}>
            <time class="quiet tiny">{date}</time>
            <p>{text}</p>
          </li>
        ))}
      </ul>
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

const Mission = ({ mission }: Pick<Details, "mission">) =>
  mission === null ? null : (
    <Card name="Mission" title={mission.name}>
      <dl>
        {briefNames.map(([name, text]) =>
          mission.brief[name] === null || mission.brief[name] === "" ? null : (
            <div key={name}>
              <dt class="quiet tiny">{text}</dt>
              <dd>{mission.brief[name]}</dd>
            </div>
          )
        )}
      </dl>
    </Card>
  )

/** The column. */
export const Lead = () => {
  const details = current.value
  const lead = details?.lead
  return (
    <aside class="lead" aria-label="Lead and mission" tabIndex={0}>
      <button type="button" class="from-lead" onClick={() => perform("lead", pressed())}>
        Close <kbd>Esc</kbd>
      </button>
      {lead && <About lead={lead} />}
      {details !== undefined && <Thread thread={details.thread} />}
      {lead && (
        <Card
          name="Score"
          title={
            <>
              Score <span class="score digits">{Math.round(lead.score)}</span>
            </>
          }
        >
          <Lines lines={lead.score_reasons} />
        </Card>
      )}
      {lead && <Posts posts={lead.posts} />}
      {details !== undefined && <Mission mission={details.mission} />}
      {details?.offer && (
        <Card name="Offer" title={details.offer.name}>
          <Lines lines={details.offer.proof} />
        </Card>
      )}
    </aside>
  )
}
