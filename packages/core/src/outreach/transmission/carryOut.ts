/** Carrying out what the state machine decided, in the transaction that holds the rows. */

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Actor, type Execution, emit } from "../../kernel/command/Execution.ts"
import type { InvalidInput, NotFound, StoreFailure } from "../../kernel/failure/failures.ts"
import type { EventType } from "../../kernel/journal/Event.ts"
import { type InstantText, type LeadId, now, type OrganizationId } from "../../kernel/schema/IdsAndTime.ts"
import type { LeadConsequences } from "../../leads/LeadConsequences.ts"
import type { LeadsRepo } from "../../leads/LeadsRepo.ts"
import { clearWaiting, markWaiting } from "../../leads/recordMessage.ts"
import { DraftsRepo } from "../drafts/DraftsRepo.ts"
import type { DraftView } from "../drafts/DraftView.ts"
import type { ChangeRefusal } from "../failures.ts"
import { decide } from "./decide.ts"
import { type Decision, type Details, type Event, type Events, eventOf, type Life, lifeOf, viewIn } from "./Life.ts"
import { isLive, type LinkedInTransmission } from "./Transmission.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

/** Emits an event about it. */
export const announce = (type: EventType, life: Life, details?: Details): Effect.Effect<void, never, Execution> =>
  emit(eventOf(type, life, details))

/** The decisions about those that an event may happen to. */
export const decideEach = <T extends keyof Events>(
  lives: ReadonlyArray<Life>,
  event: Event<T>,
  at: InstantText
): ReadonlyArray<Decision> =>
  lives.flatMap((life) => {
    const decided = decide(life, event, at)
    return Result.isSuccess(decided) ? [decided.success] : []
  })

/**
 * Stores decisions about the rows of one organization, with their events, in one statement for drafts and one for transmissions,
 * and cancels invitations of drafts that no longer wait. Returns the leads for whom perhaps nothing waits any more. `write` stores
 * the drafts, if not as usual.
 */
export const store = Effect.fnUntraced(function* <E = never>(
  decisions: ReadonlyArray<Decision>,
  write?: Effect.Effect<void, E>
): Effect.fn.Return<ReadonlyArray<LeadId>, E | StoreFailure, DraftsRepo | Execution | TransmissionsRepo> {
  const repo = yield* TransmissionsRepo
  const drafts = decisions.flatMap(({ before, life }) =>
    life.draft !== null && life.draft !== before.draft ? [life.draft] : []
  )
  const rows = decisions.flatMap(({ before, life }) => (life.row !== null && life.row !== before.row ? [life.row] : []))
  const organizationId = (rows[0] ?? drafts[0])?.organizationId
  if (organizationId === undefined) return []
  if (rows.length > 0) yield* repo.save(organizationId, rows)
  if (drafts.length > 0) yield* write ?? (yield* DraftsRepo).save(organizationId, drafts)
  const effects = decisions.flatMap((decision) => decision.effects)
  for (const effect of effects) if (effect._tag === "Emit") yield* emit(effect.event)
  const idle = effects.flatMap((effect) => (effect._tag === "Idle" ? [effect.leadId] : []))
  const uninvited = effects.flatMap((effect) => (effect._tag === "Uninvite" ? [effect] : []))
  if (uninvited.length === 0) return [...new Set(idle)]
  const invited = yield* repo.queued(organizationId, { draftIds: uninvited.map(({ draftId }) => draftId) })
  const lives = invited.flatMap((row) => (row.kind === "invitation" ? [{ draft: null, row }] : []))
  const reason = uninvited[0]?.reason ?? null
  return [...new Set([...idle, ...(yield* store(decideEach(lives, { _tag: "Cancel", reason }, yield* now)))])]
})

/** What it takes to carry out a decision. */
export type SettleNeeds = Actor | DraftsRepo | Execution | LeadConsequences | LeadsRepo | TransmissionsRepo

/** Whether no message and no invitation to a lead is live. */
export const isIdle = (organizationId: OrganizationId, leadId: LeadId) =>
  Effect.flatMap(TransmissionsRepo, ({ ofLead }) =>
    Effect.map(ofLead(organizationId, leadId), (rows) => !rows.some((row) => row.kind !== "email" && isLive(row)))
  )

/** Leads for whom nothing waits, and to whom nothing was sent, are New again. */
export const clearWaitingLeads = Effect.fnUntraced(function* (
  leadIds: ReadonlyArray<LeadId>
): Effect.fn.Return<void, StoreFailure, SettleNeeds> {
  const { organizationId } = yield* Actor
  for (const leadId of leadIds) {
    if (yield* isIdle(organizationId, leadId)) yield* clearWaiting(leadId)
  }
})

const settleAttempts = Effect.fnUntraced(function* (
  { id, organizationId }: LinkedInTransmission,
  { detail, outcome }: Extract<Decision["effects"][number], { readonly _tag: "SettleAttempts" }>,
  at: InstantText
) {
  const { attemptsOf, saveAttempt } = yield* TransmissionsRepo
  for (const attempt of yield* attemptsOf(organizationId, id)) {
    if (attempt.outcome !== null && attempt.outcome !== "unknown") continue
    yield* saveAttempt({ ...attempt, outcome, detail, endedAt: attempt.endedAt ?? at })
  }
})

const saveInvited = Effect.fnUntraced(function* (
  { accountId, leadId, organizationId, state }: LinkedInTransmission,
  invitedAt: InstantText | null,
  checkedAt: InstantText
) {
  const { person, saveRelation } = yield* TransmissionsRepo
  const { relation } = yield* person(organizationId, accountId, leadId)
  if (invitedAt === null && relation === undefined) return
  yield* saveRelation({
    organizationId,
    accountId,
    leadId,
    connected: state === "accepted" || relation?.connected === true,
    chatId: relation?.chatId ?? null,
    invitedAt: invitedAt && (relation?.invitedAt ?? invitedAt),
    checkedAt
  })
})

/** Stores a decision with all that follows from it; returns the rows as they are then. */
export const carryOut = Effect.fnUntraced(function* (
  decision: Decision,
  at: InstantText
): Effect.fn.Return<Life, StoreFailure | NotFound, SettleNeeds> {
  const leadIds = yield* store([decision])
  const { row } = decision.life
  for (const effect of decision.effects) {
    if (effect._tag === "Waiting") yield* markWaiting(effect.leadId)
    else if (effect._tag === "SettleAttempts" && row && row.kind !== "email") yield* settleAttempts(row, effect, at)
    else if (effect._tag === "Invited" && row?.kind === "invitation") yield* saveInvited(row, effect.at, at)
    else if (effect._tag === "FailMessage" && row) {
      const [view] = yield* (yield* DraftsRepo).hold(row.organizationId, { draftIds: [effect.draftId] })
      const waiting = view?.item?.state === "waiting_relation" ? [lifeOf(view)] : []
      for (const next of decideEach(waiting, { ...effect, _tag: "Block" }, at)) yield* carryOut(next, at)
    }
  }
  yield* clearWaitingLeads(leadIds)
  return decision.life
})

/** Decides about an event that the state is known to allow, and carries it out. */
export const apply = <T extends keyof Events>(
  life: Life,
  event: Event<T>,
  at: InstantText
): Effect.Effect<Life, StoreFailure | NotFound, SettleNeeds> =>
  Effect.flatMap(Effect.orDie(Effect.fromResult(decide(life, event, at))), (decision) => carryOut(decision, at))

/** Decides about a change of a draft. Fails with DRAFT_FINAL, DRAFT_IN_FLIGHT, SEND_OUTCOME_UNKNOWN or INVALID_INPUT. */
export const decideChange = (
  view: DraftView,
  event: Event<"Revise" | "Note" | "Withdraw" | "Reopen" | "Cancel">,
  at: InstantText
): Effect.Effect<Decision, ChangeRefusal | InvalidInput> =>
  Effect.catchTag(Effect.fromResult(decide(lifeOf(view), event, at)), "WrongState", Effect.die)

/** Stores a decision on a draft, if it changes something, and returns the draft. `write` stores the draft, if not as usual. */
export const storeChange = Effect.fnUntraced(function* <E = never>(
  view: DraftView,
  decision: Decision,
  write?: Effect.Effect<void, E>
) {
  yield* clearWaitingLeads(yield* store([decision], write))
  return viewIn(view, decision.life)
})
