/**
 * Undoing what a key did in a span of time, the latest change first, one transaction for each change. Only what was added is
 * taken back; what was changed stays.
 *
 * A change is taken back under the locks of the command that does so. Who else touched its subject is asked after that, when
 * nobody can touch it until the transaction ends; then the transaction is rolled back. A change is marked when it is undone,
 * so a call that was interrupted is repeated and continues.
 */

import * as Effect from "effect/Effect"
import { cancelEmail } from "../email/writeEmail.ts"
import { settleUndone, takeBackImport } from "../imports/undo/undoImport.ts"
import { Actor, Execution } from "../kernel/command/Execution.ts"
import { type Failure, isStoreDown } from "../kernel/failure/Failure.ts"
import { ContentChanged } from "../kernel/failure/failures.ts"
import type { EventType, Subject } from "../kernel/journal/Event.ts"
import { JoinsTransaction } from "../kernel/journal/Journal.ts"
import { now } from "../kernel/schema/IdsAndTime.ts"
import { removeLead } from "../leads/findLead.ts"
import { unlinkLeads } from "../leads/linkLeads.ts"
import { deleteMission } from "../missions/missionLifecycle.ts"
import { deleteUnusedOffer } from "../offers/writeOffer.ts"
import { apply } from "../outreach/carryOut.ts"
import { cancelDraft } from "../outreach/changeDraft.ts"
import { holdDraft } from "../outreach/DraftsRepo.ts"
import { reopenDraft } from "../outreach/reviewDraft.ts"
import { cancelQueued } from "../outreach/settle.ts"
import { holdEmail, holdInvitation } from "../outreach/TransmissionsRepo.ts"
import { withdrawRequest } from "../workspace/approvals/settleRequest.ts"
import {
  type Change,
  importReasons,
  type KeptChangeReason,
  RunsRepo,
  reasonOfType,
  refusedReason,
  type Span
} from "./RunsRepo.ts"

// How each kind of change is taken back. Each holds what it changes, as the command did that made the change, and is stated by
// the events of such a change. What is unsent no longer, for another reason than being sent, needs nothing more.

const reason = "undone"

const unsent: ReadonlySet<string> = new Set(["cancelled", "rejected", "failed"])

/** The leads that a change added to a mission; undefined for other changes. */
const addedLeads = ({ data, type }: Change): ReadonlyArray<string> | undefined =>
  type === "mission.leads_added" && Array.isArray(data["lead_ids"]) ? data["lead_ids"].map(String) : undefined

const unlessCancelled = <A, E, R>(change: (draftId: string) => Effect.Effect<A, E, R>) =>
  Effect.fnUntraced(function* ({ subject }: Change) {
    const { row } = yield* holdDraft(subject.id)
    if (row.status !== "CANCELLED") yield* change(subject.id)
  })

const withdrawEmail = Effect.fnUntraced(function* ({ subject }: Change) {
  const { row } = yield* holdEmail(subject.id)
  if (!unsent.has(row.state)) yield* cancelEmail(subject.id, reason)
})

const withdrawDecision = Effect.fnUntraced(function* ({ subject }: Change) {
  const { row } = yield* holdEmail(subject.id)
  if (row.state === "queued") yield* apply({ draft: null, row }, { _tag: "Withdraw", reason }, yield* now)
  // Refuses one that was sent.
  else if (row.state !== "in_review" && !unsent.has(row.state)) yield* cancelEmail(subject.id, reason)
})

const withdrawInvitation = Effect.fnUntraced(function* ({ data }: Change) {
  const { row } = yield* holdInvitation(String(data["invitation_id"]))
  if (!unsent.has(row.state)) yield* cancelQueued(row.id)
})

const takers = {
  "lead.created": ({ subject }: Change) => removeLead(subject.id),
  "offer.created": ({ subject }: Change) => deleteUnusedOffer(subject.id),
  "mission.created": ({ subject }: Change) => deleteMission(subject.id),
  "draft.created": unlessCancelled((id) => cancelDraft(id, reason)),
  "draft.approved": unlessCancelled(reopenDraft),
  "email.queued": withdrawEmail,
  "email.review.requested": withdrawEmail,
  "email.review.decided": withdrawDecision,
  "invitation.queued": withdrawInvitation,
  "approval.requested": ({ subject }: Change) => withdrawRequest(subject.id, reason)
} as const satisfies Partial<Record<EventType, unknown>>

/** How a change is taken back; undefined if it stays. */
const takerOf = ({ data, type }: Change): (typeof takers)[keyof typeof takers] | undefined => {
  // With a reason, an email of somebody else returned to review.
  if (type === "email.review.requested" && "reason" in data) return undefined
  if (type === "email.review.decided" && data["decision"] === "reject") return undefined
  return Object.hasOwn(takers, type) ? takers[type as keyof typeof takers] : undefined
}

/** Whether taking a change back takes along all that happened to its subject since. */
const isCreation = ({ type }: Change): boolean =>
  type.endsWith(".created") || type === "email.queued" || type === "email.review.requested"

/** The most changes that one call takes back. */
export const maxChanges = 5_000

/** Changes read at once. */
export const pageSize = 500

/** A thing that a change changed, with why it stays where it does. */
interface Undone {
  readonly change: Change
  readonly subject: Subject
}

/** See {@link Undone}. */
interface Kept extends Undone {
  readonly reason: KeptChangeReason
}

/** What was undone and what stays. */
export interface Outcome {
  readonly undone: ReadonlyArray<Undone>
  readonly kept: ReadonlyArray<Kept>
}

const leadsOf = (ids: ReadonlyArray<string>): ReadonlyArray<Subject> => ids.map((id) => ({ type: "lead", id }))

const undoneOf = (change: Change, subjects: ReadonlyArray<Subject>): ReadonlyArray<Undone> =>
  subjects.map((subject) => ({ change, subject }))

const keptOf = (change: Change, reason: KeptChangeReason, subjects: ReadonlyArray<Subject>): ReadonlyArray<Kept> =>
  subjects.map((subject) => ({ change, subject, reason }))

const keep = (change: Change, reason: KeptChangeReason): Outcome => ({
  undone: [],
  kept: keptOf(change, reason, [change.subject])
})

const othersOf = Effect.fnUntraced(function* (change: Change, span: Span, kind: string, ids: ReadonlyArray<string>) {
  const { organizationId } = yield* Actor
  return yield* (yield* RunsRepo).touched(organizationId, { change, span, kind, ids })
})

const refuse = (message: string) => new ContentChanged({ message })

const refuseTouched = (isTouched: boolean) => (isTouched ? refuse("Somebody else touched it since.") : Effect.void)

/** Takes leads out of the mission that a change added them to, but for those that somebody else touched. */
const takeOutOf = Effect.fnUntraced(function* (change: Change, span: Span, leadIds: ReadonlyArray<string>) {
  const others = new Set(yield* othersOf(change, span, "lead", leadIds))
  const free = leadIds.filter((id) => !others.has(id))
  yield* refuseTouched(free.length === 0)
  const { linked } = yield* unlinkLeads(change.subject.id, free)
  if (linked.changed.some((id) => !free.includes(id))) yield* refuse("A lead was merged in the meantime.")
  yield* refuseTouched((yield* othersOf(change, span, "lead", free)).length > 0)
  return { undone: undoneOf(change, leadsOf(free)), kept: keptOf(change, "TOUCHED", leadsOf([...others])) }
})

const mark = Effect.fnUntraced(function* (change: Change, more: ReadonlyArray<Change>) {
  const { organizationId } = yield* Actor
  const ids = [change.id, ...more.map(({ id }) => id)] as const
  yield* refuseTouched(!(yield* (yield* RunsRepo).markUndone(organizationId, ids, yield* now)))
})

/** Runs a step in a transaction of its own, a savepoint in a dry run, and says of its events that they undo others. */
const undoing = <A, E extends Failure, R>(step: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Execution, ({ commit }) => {
    const inner = Effect.flatMap(Execution, (own) =>
      Effect.provideService(step, Execution, {
        ...own,
        emit: (event) => own.emit({ ...event, undoes: true }),
        warn: () => Effect.void
      })
    )
    const plain = Effect.provideService(inner, JoinsTransaction, false)
    return Effect.provideService(commit(plain), JoinsTransaction, true)
  })

const undoImportOf = Effect.fnUntraced(function* (change: Change) {
  const taken = yield* takeBackImport(change.subject.id, true)
  const settled = taken === undefined ? Effect.void : settleUndone(taken.run, taken.removed.length)
  yield* undoing(Effect.andThen(settled, mark(change, [])))
  const kept = [...(taken?.kept ?? [])].flatMap(([why, ids]) => keptOf(change, importReasons[why], leadsOf(ids)))
  return { undone: undoneOf(change, [change.subject, ...leadsOf(taken?.removed ?? [])]), kept }
})

/** Takes a change back, with the changes that go with it. */
const takeBack = Effect.fnUntraced(function* (change: Change, span: Span, more: ReadonlyArray<Change>) {
  const { subject, type } = change
  if (type === "import.started") return yield* undoImportOf(change)
  const leadIds = addedLeads(change)
  if (leadIds !== undefined) return yield* undoing(Effect.tap(takeOutOf(change, span, leadIds), mark(change, [])))
  const taker = takerOf(change)
  if (taker === undefined) return keep(change, reasonOfType(type))
  return yield* undoing(
    Effect.gen(function* () {
      yield* taker(change)
      yield* refuseTouched((yield* othersOf(change, span, subject.type, [subject.id])).length > 0)
      yield* mark(change, more)
      return { undone: [change, ...more].flatMap((one) => undoneOf(one, [one.subject])), kept: [] }
    })
  )
})

const undoOne = (change: Change, span: Span, more: ReadonlyArray<Change>) =>
  Effect.catch(takeBack(change, span, more), (failure) =>
    isStoreDown(failure) ? Effect.fail(failure) : Effect.succeed(keep(change, refusedReason(failure.code, change.type)))
  )

const keyOf = ({ id, type }: Subject): string => `${type} ${id}`

/**
 * Undoes the changes of a span, the latest first, and returns what became of each; it stops after {@link maxChanges} that it
 * took back. Fails with UNAVAILABLE.
 */
export const undoChanges = Effect.fnUntraced(function* (span: Span) {
  const { organizationId } = yield* Actor
  const { changes } = yield* RunsRepo
  const undone: Array<Undone> = []
  const kept = new Map<string, Array<Kept>>()
  let taken = 0
  for (let page = yield* changes(organizationId, span, undefined, pageSize); page.length > 0; ) {
    for (const change of page) {
      if (taken === maxChanges) return { undone, kept: [...kept.values()].flat(), isComplete: false }
      const key = keyOf(change.subject)
      const more = isCreation(change) ? (kept.get(key) ?? []).map((one) => one.change) : []
      const outcome: Outcome = yield* undoOne(change, span, more)
      if (outcome.undone.length > 0) {
        taken++
        undone.push(...outcome.undone)
        if (more.length > 0) kept.delete(key)
      }
      for (const one of outcome.kept) kept.get(keyOf(one.subject))?.push(one) ?? kept.set(keyOf(one.subject), [one])
    }
    page = yield* changes(organizationId, span, page.at(-1)?.position, pageSize)
  }
  return { undone, kept: [...kept.values()].flat(), isComplete: true }
})
