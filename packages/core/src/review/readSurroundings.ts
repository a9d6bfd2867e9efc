/** Lead, mission and offer of an item of the review queue. */
import * as Effect from "effect/Effect"
import { Actor } from "../kernel/command/Actor.ts"
import { hasScope } from "../kernel/command/Policy.ts"
import { contentOf } from "../leads/Lead.ts"
import { LeadsRepo, type LeadView } from "../leads/LeadsRepo.ts"
import { LeadScorer } from "../leads/score/LeadScorer.ts"
import type { MissionRow } from "../missions/Mission.ts"
import { MissionsRepo } from "../missions/MissionsRepo.ts"
import type { Offer } from "../offers/Offer.ts"
import { OffersRepo } from "../offers/OffersRepo.ts"
import type { ReviewDetails } from "./ReviewDetails.ts"
import type { ReviewEntry } from "./ReviewEntry.ts"

const shownMessages = 20
const orNull = (value: string): string | null => (value === "" ? null : value)

/** The lead as a card, with the messages exchanged. */
const cardOf = Effect.fnUntraced(function* (view: LeadView, offer: Offer | undefined) {
  const { row } = view
  const scorer = yield* LeadScorer
  const parts = scorer({ content: contentOf(row), hasReplied: row.lastInboundAt !== null, offer })
  return {
    lead_id: row.id,
    name: row.name,
    job_title: orNull(row.jobTitle),
    company_name: orNull(row.company),
    headline: orNull(row.headline),
    location: orNull(row.location),
    linkedin_url: orNull(row.linkedinUrl),
    email: orNull(row.email),
    status: row.status,
    posts: row.recentPosts.map(({ content, date }) => ({ text: content, date })),
    score: row.score,
    score_reasons: parts.map(({ why }) => why)
  }
})

const threadOf = ({ messages }: LeadView): ReviewDetails["thread"] =>
  messages
    .filter(({ isPending }) => !isPending)
    .slice(-shownMessages)
    .map(({ channel, content, date, direction }) => ({ direction, channel, text: content, at: date }))

const missionOf = (row: MissionRow): NonNullable<ReviewDetails["mission"]> => ({
  mission_id: row.id,
  handle: row.handle,
  name: row.name,
  status: row.status,
  language: row.language,
  brief: {
    objective: orNull(row.objective),
    description: orNull(row.description),
    target_audience: orNull(row.whoAreThey),
    why_we_contact_them: orNull(row.whyWeContactThem),
    desired_action: orNull(row.desiredAction),
    key_message: orNull(row.keyMessage),
    tone_instructions: orNull(row.toneInstructions)
  }
})

const offerOf = ({ id, name, references }: Offer): NonNullable<ReviewDetails["offer"]> => ({
  offer_id: id,
  name,
  proof: references.map(({ company, content, keyResult }) =>
    [company, keyResult, content].filter((part) => part !== null && part !== "").join(": ")
  )
})

/** Lead, mission and offer, as far as the actor's scopes go. */
export const readSurroundings = Effect.fnUntraced(function* ({ lead, mission }: ReviewEntry) {
  const actor = yield* Actor
  const { organizationId } = actor
  const missionRow =
    mission === null || !hasScope(actor, "missions:read")
      ? undefined
      : yield* (yield* MissionsRepo).findByIdOrHandle(organizationId, mission.id)
  const offerId = missionRow?.offerId ?? null
  const offer =
    offerId === null || !hasScope(actor, "offers:read")
      ? undefined
      : yield* (yield* OffersRepo).find(organizationId, offerId)
  const found =
    lead === null || !hasScope(actor, "leads:read")
      ? undefined
      : yield* (yield* LeadsRepo).find(organizationId, { identities: [], leadId: lead.id })
  const [view] = found?.leads ?? []
  return {
    lead: view === undefined ? null : yield* cardOf(view, offer),
    thread: view === undefined ? [] : threadOf(view),
    mission: missionRow === undefined ? null : missionOf(missionRow),
    offer: offer === undefined ? null : offerOf(offer)
  }
})
