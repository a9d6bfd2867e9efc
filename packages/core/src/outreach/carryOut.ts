/** The state machine, and carrying out what it decided in the transaction that holds the rows. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Actor, type Execution, emit } from "../kernel/command/Execution.ts"
import { Failure } from "../kernel/failure/Failure.ts"
import type { NotFound, StoreFailure } from "../kernel/failure/failures.ts"
import type { EventType } from "../kernel/journal/Event.ts"
import { changedAt, type InstantText, type LeadId, now, type OrganizationId } from "../kernel/schema/IdsAndTime.ts"
import type { LeadConsequences } from "../leads/LeadConsequences.ts"
import type { LeadsRepo } from "../leads/LeadsRepo.ts"
import { clearWaiting, markWaiting, recordOnce } from "../leads/recordMessage.ts"
import { mailPartsOf } from "../leads/threadOf.ts"
import { DraftsRepo, type DraftView } from "./DraftsRepo.ts"
import * as Life from "./Life.ts"
import { type Following, type Step, steps } from "./steps.ts"
import {
  changed,
  type EmailRow,
  isLive,
  type LinkedInTransmission,
  type Transmission,
  type TransmissionView
} from "./Transmission.ts"
import { changeRelation, TransmissionsRepo } from "./TransmissionsRepo.ts"

const follow = (
  before: Life.Life,
  { also = [], draft, lead, row: changes, says = [] }: Following,
  at: InstantText
): Life.Decision => {
  const isChanged = changes !== undefined && Object.keys(changes).length > 0
  const moved = before.row && isChanged ? changed(before.row, changes, at) : before.row
  // What leaves the draft as it is only says when to look again.
  const row = moved && before.row && draft === null ? { ...moved, updatedAt: before.row.updatedAt } : moved
  const own = draft === undefined && row?.kind === "message" ? { queueItemId: row.id } : draft
  const touched = before.draft && { ...before.draft, updatedAt: changedAt(before.draft.updatedAt, at), ...own }
  const life = { draft: own ? touched : before.draft, row }
  const emitted = says.map(([type, details]) => ({ _tag: "Emit", event: Life.eventOf(type, life, details) }) as const)
  const leads = lead && row && row.kind !== "email" ? [{ _tag: lead, leadId: row.leadId }] : []
  return { before, life, effects: [...also, ...emitted, ...leads] }
}

/** What follows from an event, or why it must not happen. */
export const decide = <T extends keyof Life.Events>(
  life: Life.Life,
  event: Life.Event<T>,
  at: InstantText
): Result.Result<Life.Decision, Life.Refusal<T>> => {
  const step: Step<T> = steps[event._tag]
  const state = Life.stateOf(life)
  const attempt = "attempt" in event ? event.attempt : undefined
  // An outcome changes nothing once another attempt has begun, or somebody has settled it.
  const isStale =
    attempt !== undefined && (attempt !== life.row?.attempts || (state !== "sending" && state !== "ambiguous"))
  const kind = life.draft === null && life.row !== null ? life.row.kind : "message"
  if (isStale || step.from[kind]?.includes(state) !== true) return Result.fail(Life.refusalIn(life))
  const next = step.to(life, event, at)
  if (next instanceof Failure) return Result.fail(next)
  return Result.succeed(next === undefined ? { before: life, life, effects: [] } : follow(life, next, at))
}

/** Emits an event about it. */
export const announce = (
  type: EventType,
  life: Life.Life,
  details?: Life.Details
): Effect.Effect<void, never, Execution> => emit(Life.eventOf(type, life, details))

/** The decisions about those that an event may happen to. */
export const decideEach = <T extends keyof Life.Events>(
  lives: ReadonlyArray<Life.Life>,
  event: Life.Event<T>,
  at: InstantText
): ReadonlyArray<Life.Decision> =>
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
  decisions: ReadonlyArray<Life.Decision>,
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
export const clearWaitingLeads = Effect.fnUntraced(function* (leadIds: ReadonlyArray<LeadId>) {
  const { organizationId } = yield* Actor
  for (const leadId of leadIds) {
    if (yield* isIdle(organizationId, leadId)) yield* clearWaiting(leadId)
  }
})

const settleAttempts = Effect.fnUntraced(function* (
  { id, organizationId }: Transmission,
  { detail, outcome }: Extract<Life.Decision["effects"][number], { readonly _tag: "SettleAttempts" }>,
  at: InstantText
) {
  const { attemptsOf, saveAttempt } = yield* TransmissionsRepo
  for (const attempt of yield* attemptsOf(organizationId, id)) {
    if (attempt.outcome !== null && attempt.outcome !== "unknown") continue
    yield* saveAttempt({ ...attempt, outcome, detail, endedAt: attempt.endedAt ?? at })
  }
})

const saveInvited = (row: LinkedInTransmission, invitedAt: InstantText | null, at: InstantText) =>
  changeRelation(row, at, (known) => {
    if (invitedAt === null && known === undefined) return undefined
    const connected = row.state === "accepted" || known?.connected === true
    return { connected, invitedAt: invitedAt && (known?.invitedAt ?? invitedAt) }
  })

/** Stores a decision with all that follows from it; returns the rows as they are then. */
export const carryOut = Effect.fnUntraced(function* (
  decision: Life.Decision,
  at: InstantText
): Effect.fn.Return<Life.Life, StoreFailure | NotFound, SettleNeeds> {
  const leadIds = yield* store([decision])
  const { row } = decision.life
  for (const effect of decision.effects) {
    if (effect._tag === "Waiting") yield* markWaiting(effect.leadId)
    else if (effect._tag === "SettleAttempts" && row) yield* settleAttempts(row, effect, at)
    else if (effect._tag === "Invited" && row?.kind === "invitation") yield* saveInvited(row, effect.at, at)
    else if (effect._tag === "FailMessage" && row) {
      const [view] = yield* (yield* DraftsRepo).hold(row.organizationId, { draftIds: [effect.draftId] })
      const waiting = view?.item?.state === "waiting_relation" ? [Life.lifeOf(view)] : []
      for (const next of decideEach(waiting, { ...effect, _tag: "Block" }, at)) yield* carryOut(next, at)
    }
  }
  yield* clearWaitingLeads(leadIds)
  return decision.life
})

/** Stores what was delivered as a message of its lead; returns what the state machine is told of it. */
export const recordDelivery = Effect.fnUntraced(function* (
  view: DraftView | TransmissionView<EmailRow>,
  externalId: string | null,
  date: InstantText
) {
  const { agent, lead, row } = view
  const known = { leadId: row.leadId, direction: "outbound", date, senderName: agent.name } as const
  const { id: recordedAs } = yield* recordOnce(
    "item" in view
      ? { ...known, channel: "LINKEDIN", content: view.item?.bodyText ?? "", externalId }
      : {
          ...known,
          channel: "EMAIL",
          content: wholeText(view.row),
          externalId: externalId ?? row.id,
          mail: mailPartsOf(view.row.subject, view.row.toAddress, view.row.fromAddress)
        }
  )
  return { recordedAs, externalId, isFirst: !lead.wasWritten }
})

const wholeText = ({ bodyText, subject }: EmailRow): string => (subject === "" ? bodyText : `${subject}\n\n${bodyText}`)

/** Decides about an event that the state is known to allow, and carries it out. */
export const apply = <T extends keyof Life.Events>(
  life: Life.Life,
  event: Life.Event<T>,
  at: InstantText
): Effect.Effect<Life.Life, StoreFailure | NotFound, SettleNeeds> =>
  Effect.flatMap(Effect.orDie(Effect.fromResult(decide(life, event, at))), (decision) => carryOut(decision, at))

/** Decides about a change of a draft. Fails with DRAFT_FINAL, DRAFT_IN_FLIGHT, SEND_OUTCOME_UNKNOWN or INVALID_INPUT. */
export const decideChange = (
  view: DraftView,
  event: Life.Event<"Revise" | "Note" | "Withdraw" | "Reopen" | "Cancel">,
  at: InstantText
) => Effect.catchTag(Effect.fromResult(decide(Life.lifeOf(view), event, at)), "WrongState", Effect.die)

/** Stores a decision on a draft, if it changes something, and returns the draft. `write` stores the draft, if not as usual. */
export const storeChange = Effect.fnUntraced(function* <E = never>(
  view: DraftView,
  decision: Life.Decision,
  write?: Effect.Effect<void, E>
) {
  yield* clearWaitingLeads(yield* store([decision], write))
  return Life.viewIn(view, decision.life)
})
