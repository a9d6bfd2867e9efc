/** The right column: who would receive it, and why. */

import { perform } from "../keys/actions.ts"
import { pressed } from "../keys/listen.ts"
import { dateAndTime } from "../queue/times.ts"
import { Icon } from "../screen/Icon.tsx"
import { current } from "../screen/state.ts"
import type { Details } from "../service/shapes.ts"

type Person = NonNullable<Details["lead"]>

const isWeb = (url: string): boolean => /^https?:\/\//i.test(url)

const Card = ({ lead }: { readonly lead: Person }) => (
  <section class="card" aria-label="Lead">
    <h2>{lead.name}</h2>
    <p>{[lead.job_title, lead.company_name].filter(Boolean).join(", ")}</p>
    {lead.headline !== null && <p class="quiet">{lead.headline}</p>}
    <p class="quiet">{[lead.location, lead.email].filter(Boolean).join(" · ")}</p>
    <p>
      <span class="pill">{lead.status}</span>{" "}
      {lead.linkedin_url !== null && isWeb(lead.linkedin_url) && (
        <a href={lead.linkedin_url} target="_blank" rel="noreferrer noopener">
          <Icon name="link" /> LinkedIn
        </a>
      )}
    </p>
  </section>
)

const Score = ({ lead }: { readonly lead: Person }) => (
  <section class="card" aria-label="Score">
    <h2>
      Score <span class="score">{Math.round(lead.score)}</span>
    </h2>
    <ul class="plain-list">
      {lead.score_reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  </section>
)

const Thread = ({ thread }: Pick<Details, "thread">) =>
  thread.length === 0 ? null : (
    <section class="card" aria-label="Conversation">
      <h2>Conversation</h2>
      <ol class="thread">
        {thread.map(({ at, direction, text }) => (
          <li key={`${at} ${text}`} class={direction}>
            <p>{text}</p>
            <time dateTime={at}>
              {direction === "inbound" ? "Received" : "Sent"} {dateAndTime(at)}
            </time>
          </li>
        ))}
      </ol>
    </section>
  )

const Posts = ({ posts }: Pick<Person, "posts">) =>
  posts.length === 0 ? null : (
    <section class="card" aria-label="Posts">
      <h2>Posts</h2>
      <ul class="plain-list">
        {posts.map(({ date, text }) => (
          <li key={`${date} ${text}`}>
            <time class="quiet">{date}</time>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
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
    <section class="card" aria-label="Mission">
      <h2>{mission.name}</h2>
      <dl>
        {briefNames.map(([name, text]) =>
          mission.brief[name] === null || mission.brief[name] === "" ? null : (
            <div key={name}>
              <dt>{text}</dt>
              <dd>{mission.brief[name]}</dd>
            </div>
          )
        )}
      </dl>
    </section>
  )

const Offer = ({ offer }: Pick<Details, "offer">) =>
  offer === null ? null : (
    <section class="card" aria-label="Offer">
      <h2>{offer.name}</h2>
      <ul class="plain-list">
        {offer.proof.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </section>
  )

/** See above. */
export const Lead = () => {
  const details = current.value
  return (
    <aside class="lead" aria-label="Lead and mission" tabIndex={0}>
      <button type="button" class="from-lead" onClick={() => perform("lead", pressed())}>
        Close <kbd>Esc</kbd>
      </button>
      {details?.lead && <Card lead={details.lead} />}
      {details !== undefined && <Thread thread={details.thread} />}
      {details?.lead && <Score lead={details.lead} />}
      {details?.lead && <Posts posts={details.lead.posts} />}
      {details !== undefined && <Mission mission={details.mission} />}
      {details !== undefined && <Offer offer={details.offer} />}
    </aside>
  )
}
