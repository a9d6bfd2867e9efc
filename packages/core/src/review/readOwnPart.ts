/** What only one kind of item of the review queue has. */

import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { AgentsRepo, agentName } from "../agents/Agent.ts"
import { emailOf } from "../email/Email.ts"
import { Actor, type ActorIdentity } from "../kernel/command/Execution.ts"
import type { Scope } from "../kernel/command/Permission.ts"
import { hasScope } from "../kernel/command/Policy.ts"
import type { StoreEffect } from "../kernel/failure/failures.ts"
import type { OrganizationId } from "../kernel/schema/IdsAndTime.ts"
import { shorten } from "../kernel/schema/TextRules.ts"
import { writtenFollowUp } from "../leads/followUp.ts"
import { contentOf } from "../leads/Lead.ts"
import { LeadsRepo, type LeadView } from "../leads/LeadsRepo.ts"
import { contextOf } from "../leads/ProspectContext.ts"
import { LeadScorer } from "../leads/score/estimateParts.ts"
import { briefTextsOf, type MissionRow } from "../missions/Mission.ts"
import { finishedStatuses } from "../missions/MissionStatus.ts"
import { MissionsRepo } from "../missions/MissionsRepo.ts"
import { type Offer, OffersRepo } from "../offers/Offer.ts"
import { findingsOf } from "../outreach/check/draftFindings.ts"
import { type FactRecords, factOf } from "../outreach/check/references.ts"
import { chooseAgent } from "../outreach/createDraft.ts"
import { recommendedLength } from "../outreach/DraftInput.ts"
import { contentHashOfView, DraftsRepo, draftOf, readFacts } from "../outreach/DraftsRepo.ts"
import { evidenceOf, provenanceOf } from "../outreach/Evidence.ts"
import { entryOf } from "../outreach/QueueEntry.ts"
import { SendOptions } from "../outreach/SendOptions.ts"
import { type DraftRow, isOfKind, type TransmissionView } from "../outreach/Transmission.ts"
import { getApproval, showApprovals } from "../workspace/approvals/Approval.ts"
import { openInput } from "../workspace/approvals/ApprovalRow.ts"
import type { ReviewDetails } from "./ReviewDetails.ts"
import type { ReviewEntry } from "./ReviewRepo.ts"

const noOwn = {
  draft: null,
  content_hash: null,
  findings: [],
  max_characters: null,
  review: { snoozed_until: null, flagged: false, flag_note: null, rejection: null, rewrite: null },
  provenance: [],
  evidence: [],
  follow_up: null,
  subject: null,
  email: null,
  invitation: null,
  approval: null
} satisfies Partial<ReviewDetails>

const scopeOf = (reference: string): Scope => {
  if (reference.startsWith("offer.")) return "offers:read"
  return reference.startsWith("brief.") ? "missions:read" : "leads:read"
}

/** The evidence of a draft, with the facts that the actor may read. */
const reviewEvidence = (actor: ActorIdentity, row: DraftRow, records: FactRecords): ReviewDetails["evidence"] =>
  evidenceOf(row).map((item) => ({
    ...item,
    facts: item.references.map((reference) => {
      const fact = hasScope(actor, scopeOf(reference)) ? factOf(reference, records) : undefined
      return fact === undefined ? null : shorten(fact.replaceAll(/\s+/g, " "))
    })
  }))

const draftPart = Effect.fnUntraced(function* (itemId: string) {
  const actor = yield* Actor
  const { organizationId } = actor
  const view = yield* (yield* DraftsRepo).find(organizationId, itemId)
  if (view === undefined) return noOwn
  const facts = yield* readFacts(organizationId, { draftId: itemId })
  const { flagNote, flagged, rejection, rewrite, snoozedUntil } = view.row.review
  return {
    ...noOwn,
    draft: draftOf(view),
    content_hash: contentHashOfView(view),
    findings: findingsOf(facts).map(({ index, problem, ...finding }) => ({
      variation_index: index,
      message: problem,
      ...Struct.pick(finding, ["severity", "code", "hint", "start", "end"])
    })),
    max_characters: recommendedLength,
    provenance: provenanceOf(view.row.steps),
    evidence: reviewEvidence(actor, view.row, facts.records),
    follow_up: writtenFollowUp(view),
    review: {
      snoozed_until: snoozedUntil,
      flagged,
      flag_note: flagNote,
      rejection: rejection && { reason: rejection.text, by: rejection.by.userId, at: rejection.at },
      rewrite: rewrite && { instructions: rewrite.text, by: rewrite.by.userId, at: rewrite.at }
    }
  }
})

/** Most ids of an input that are shown with a name. */
const shownNames = 20

/** The names of what an input names by id, as far as the actor's scopes go. */
const namesIn = Effect.fnUntraced(function* (input: unknown) {
  const actor = yield* Actor
  const { organizationId } = actor
  const [agents, drafts, leads, missions] = [
    yield* AgentsRepo,
    yield* DraftsRepo,
    yield* LeadsRepo,
    yield* MissionsRepo
  ]
  const readers: Readonly<Record<string, readonly [Scope, (id: string) => StoreEffect<string | undefined>]>> = {
    agt: ["agents:read", (id) => Effect.map(agents.find(organizationId, id), (row) => row && agentName(row))],
    drf: ["leads:read", (id) => Effect.map(drafts.find(organizationId, id), (view) => view?.lead.name)],
    ld: [
      "leads:read",
      (leadId) =>
        Effect.map(leads.find(organizationId, { identities: [], leadId }), (found) => found.leads[0]?.row.name)
    ],
    mis: ["missions:read", (id) => Effect.map(missions.findByIdOrHandle(organizationId, id), (row) => row?.name)]
  }
  const ids = new Set(JSON.stringify(input)?.match(/\b(?:agt|drf|ld|mis)_[0-9A-Z]{26}\b/g))
  const named = yield* Effect.forEach(
    [...ids].slice(0, shownNames),
    Effect.fnUntraced(function* (id) {
      const [scope, read] = readers[id.slice(0, id.indexOf("_"))] ?? []
      const name = scope !== undefined && read !== undefined && hasScope(actor, scope) ? yield* read(id) : undefined
      return name === undefined ? [] : [[id, name] as const]
    }),
    { concurrency: "unbounded" }
  )
  return Object.fromEntries(named.flat())
})

const approvalPart = Effect.fnUntraced(function* (itemId: string) {
  const row = yield* getApproval(itemId)
  const show = yield* showApprovals
  const input = openInput(row)
  return { ...noOwn, approval: { request: show(row), input, names: yield* namesIn(input) } }
})

/** Reads it; `view` is the item's transmission, `openDraftId` the draft that its lead has, if any. */
export const readOwnPart = Effect.fnUntraced(function* (
  { itemId, kind }: ReviewEntry,
  view: TransmissionView | undefined,
  openDraftId: string | undefined,
  at: string
) {
  if (kind === "message") return yield* draftPart(itemId)
  if (kind === "reply" && openDraftId !== undefined) return yield* draftPart(openDraftId)
  if (kind === "approval") return yield* approvalPart(itemId)
  if (view === undefined) return noOwn
  if (isOfKind("email")(view)) {
    const email = emailOf(view)
    const provenance = provenanceOf(view.row.steps)
    const { content_hash, follow_up, subject } = email
    return { ...noOwn, email, provenance, content_hash, follow_up, subject }
  }
  const { pacing } = yield* SendOptions
  return isOfKind("invitation")(view) ? { ...noOwn, invitation: entryOf(view, at, pacing) } : noOwn
})

const shownMessages = 20

/** The lead as a card, with the messages exchanged. */
const cardOf = Effect.fnUntraced(function* (view: LeadView, offer: Offer | undefined, at: string) {
  const { row } = view
  const scorer = yield* LeadScorer
  const parts = scorer({ content: contentOf(row), hasReplied: row.lastInboundAt !== null, offer })
  return {
    lead_id: row.id,
    name: row.name,
    job_title: row.jobTitle || null,
    company_name: row.company || null,
    headline: row.headline || null,
    location: row.location || null,
    linkedin_url: row.linkedinUrl || null,
    email: row.email || null,
    status: row.status,
    ...Struct.pick(contextOf(view, at), ["suppression", "draft_request"]),
    posts: row.recentPosts.map(({ content, date }) => ({ text: content, date })),
    score: row.score,
    score_reasons: parts.map(({ why }) => why)
  }
})

const threadOf = ({ messages }: LeadView): ReviewDetails["thread"] =>
  messages
    .filter(({ isPending }) => !isPending)
    .slice(-shownMessages)
    .map(({ channel, content, date, direction, senderName }) => ({
      ...{ direction, channel, sender_name: senderName },
      ...{ text: content, at: date }
    }))

/** The mission and the agent of the last draft that was sent; else the newest open mission, and the agent that it would choose. */
const draftWith = Effect.fnUntraced(function* ({ briefs, row: { id: leadId, organizationId } }: LeadView) {
  const filter = { status: ["DISPATCHED"], leadId } as const
  const { items } = yield* (yield* DraftsRepo).list(organizationId, filter, { limit: 1 })
  const [latest] = items
  const open = briefs.flatMap(({ missionId, status }) => (finishedStatuses.includes(status) ? [] : [missionId]))
  const missionId = open.find((id) => id === latest?.mission?.id) ?? open.at(-1)
  const mission = missionId && (yield* (yield* MissionsRepo).findByIdOrHandle(organizationId, missionId))
  const sender = latest?.agent.deleted === false ? latest.agent.id : undefined
  const agent = yield* Effect.catchTag(chooseAgent(sender, mission || undefined), ["NotFound", "InvalidInput"], () =>
    Effect.succeed(null)
  )
  return {
    mission: mission ? { mission_id: mission.id, handle: mission.handle, name: mission.name } : null,
    agent: agent && { agent_id: agent.id, handle: agent.handle, name: agentName(agent) }
  }
})

const missionOf = (row: MissionRow): NonNullable<ReviewDetails["mission"]> => ({
  mission_id: row.id,
  ...Struct.pick(row, ["handle", "name", "status", "language"]),
  brief: Struct.omit(briefTextsOf(row), ["cta_url"])
})

const offerOf = ({ id, name, references }: Offer): NonNullable<ReviewDetails["offer"]> => ({
  offer_id: id,
  name,
  proof: references.map(({ company, content, keyResult }) =>
    [company, keyResult, content].filter((part) => part !== null && part !== "").join(": ")
  )
})

/** Lead, mission and offer, as far as the actor's scopes go. */
export const readSurroundings = Effect.fnUntraced(function* ({ kind, lead, mission }: ReviewEntry, at: string) {
  const actor = yield* Actor
  const ifReadable = <A, E, R>(
    scope: Scope,
    id: string | null | undefined,
    read: (organizationId: OrganizationId, id: string) => Effect.Effect<A, E, R>
  ) => (id == null || !hasScope(actor, scope) ? Effect.succeed(undefined) : read(actor.organizationId, id))
  const missionRow = yield* ifReadable("missions:read", mission?.id, (yield* MissionsRepo).findByIdOrHandle)
  const offer = yield* ifReadable("offers:read", missionRow?.offerId, (yield* OffersRepo).find)
  const leads = yield* LeadsRepo
  const found = yield* ifReadable("leads:read", lead?.id, (organizationId, leadId) =>
    leads.find(organizationId, { identities: [], leadId })
  )
  const [view] = found?.leads ?? []
  const shown = {
    lead: view === undefined ? null : yield* cardOf(view, offer, at),
    draft_with: view === undefined || kind !== "reply" ? null : yield* draftWith(view),
    thread: view === undefined ? [] : threadOf(view),
    mission: missionRow === undefined ? null : missionOf(missionRow),
    offer: offer === undefined ? null : offerOf(offer)
  }
  return { shown, openDraftId: view?.openDraft?.draftId }
})
