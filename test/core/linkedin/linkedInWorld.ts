/** A workspace in memory with the simulated LinkedIn, and what the tests look at afterwards. */

import * as Effect from "effect/Effect"
import type { LinkedInDraft } from "#core/outreach/LinkedInDraft.ts"
import type { SendAttempt } from "#core/outreach/pacing/UsageLimits.ts"
import * as JournalMemory from "#memory/JournalMemory.ts"
import { leadMessages, leads } from "#memory/leads/LeadTables.ts"
import { MemoryStore } from "#memory/MemoryStore.ts"
import { attempts, messagesIn } from "#memory/outreach/LinkedInTables.ts"
import { SimulatorLedger } from "#memory/simulator/SimulatedGateway.ts"
import { ask, type Extra, make, ok } from "../../support/World.ts"

/** The whole workspace over the simulated gateway, whose people accept after 30 s. */
export const linkedInWorld = make({ backend: "memory" })

/** What `linkedin.draft.approve` answers. */
export interface Approved {
  readonly draft: LinkedInDraft
  readonly dispatch_result: Readonly<Record<string, string | null>> | null
  readonly mode: string
}

/** Makes the agents `ada-martin` and, if wanted, `bob-berg`. */
export const agents = Effect.fnUntraced(function* (count = 1) {
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
  if (count > 1) yield* ok("agent.create", { first_name: "Bob", last_name: "Berg" })
})

/** A lead whose public slug is `slug`; answers its id. */
export const lead = (slug: string, extra?: Extra) =>
  Effect.map(
    ok<{ lead_id: string }>("lead.upsert", { linkedin_url: `https://www.linkedin.com/in/${slug}`, name: slug }, extra),
    ({ lead_id }) => lead_id
  )

/** A draft for a new lead with this slug; answers it. */
export const draftFor = Effect.fnUntraced(function* (slug: string, input: Record<string, unknown> = {}) {
  const lead_id = yield* lead(slug)
  const created = yield* ok<{ draft: LinkedInDraft }>("linkedin.draft.create", {
    lead_id,
    variations: [`Hello ${slug}`],
    ...input
  })
  return created.draft
})

/** The draft as it is now. */
export const read = (draft: { readonly draft_id: string }) =>
  Effect.map(ok<{ draft: LinkedInDraft }>("linkedin.draft.get", { draft_id: draft.draft_id }), (output) => output.draft)

/** send_now of a draft. */
export const send = (draft: { readonly draft_id: string }, input: Record<string, unknown> = {}, extra?: Extra) =>
  ask("linkedin.draft.approve", { draft_id: draft.draft_id, send_now: true, ...input }, extra)

/** send_now that must succeed. */
export const sent = (draft: { readonly draft_id: string }, input: Record<string, unknown> = {}, extra?: Extra) =>
  ok<Approved>("linkedin.draft.approve", { draft_id: draft.draft_id, send_now: true, ...input }, extra)

/** What the simulated provider took: `kind:text`, in order. */
export const taken = Effect.flatMap(SimulatorLedger, (ledger) =>
  Effect.map(ledger.accepted, (accepted) => accepted.map(({ kind, text }) => `${kind}:${text}`))
)

/** When an attempt began; of the same moment, those whose id was made first come first. */
const orderOf = ({ number, queueItemId, startedAt }: SendAttempt) =>
  `${startedAt} ${queueItemId.split("_")[1]} ${number}`

/** What is stored beside drafts. */
export const stored = Effect.flatMap(MemoryStore, (store) =>
  store.read("org_a", (tables) => ({
    items: messagesIn(tables).toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    attempts: tables.all(attempts).toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1)),
    messages: tables.all(leadMessages),
    statuses: Object.fromEntries(tables.all(leads).map(({ name, status }) => [name, status]))
  }))
)

/** Types of events so far that start with one of the prefixes, in order. */
export const eventTypes = (...prefixes: ReadonlyArray<string>) =>
  Effect.flatMap(MemoryStore, (store) =>
    store.read("org_a", (tables) =>
      tables
        .all(JournalMemory.events)
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ type }) => type)
        .filter((type) => prefixes.some((prefix) => type.startsWith(prefix)))
    )
  )
