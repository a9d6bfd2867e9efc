/**
 * Undoing what a key did in a span of time, the latest change first, one transaction for each change.
 *
 * A change is undone under the locks of the command that changes it back. Who else touched its subject is asked after that, when
 * nobody can touch it until the transaction ends; then the undoing is rolled back. A change is marked when it is undone,
 * so a call that was interrupted is repeated and continues.
 */
import * as Effect from "effect/Effect"
import { settleUndone, takeBackImport } from "../imports/undo/undoImport.ts"
import { Actor } from "../kernel/command/Actor.ts"
import { Execution } from "../kernel/command/Execution.ts"
import type { Failure } from "../kernel/failure/Failure.ts"
import { ContentChanged } from "../kernel/failure/failures.ts"
import type { Subject } from "../kernel/journal/Event.ts"
import { JoinsTransaction } from "../kernel/journal/Transaction.ts"
import { now } from "../kernel/schema/Time.ts"
import { readDraft } from "../outreach/drafts/readDraft.ts"
import { finalReason, importReasons, type KeptChangeReason, refusedReason } from "./KeptChange.ts"
import { type Change, RunsRepo, type Span, type TouchedBy } from "./RunsRepo.ts"
import { linkedBy, undoChange, undoLinks } from "./undoChange.ts"

/** The most changes that one call looks at. */
export const maxChanges = 5_000

/** What became of a change, for each thing that it changed. */
export interface Outcome {
  readonly change: Change
  readonly undone: ReadonlyArray<Subject>
  readonly kept: ReadonlyArray<{ readonly subject: Subject; readonly reason: KeptChangeReason }>
}

const touched = () => new ContentChanged({ message: "Somebody else touched it since." })

const leadsOf = (ids: ReadonlyArray<string>): ReadonlyArray<Subject> => ids.map((id) => ({ type: "lead", id }))

const outcomeOf = (
  change: Change,
  undone: ReadonlyArray<Subject>,
  kept: ReadonlyArray<readonly [KeptChangeReason, ReadonlyArray<string>]>
): Outcome => ({
  change,
  undone,
  kept: kept.flatMap(([reason, ids]) => leadsOf(ids).map((subject) => ({ subject, reason })))
})

const othersOf = Effect.fnUntraced(function* (
  change: Change,
  span: Span,
  { ids, kind }: Pick<TouchedBy, "ids" | "kind">
) {
  const { organizationId } = yield* Actor
  return yield* (yield* RunsRepo).touched(organizationId, { change, span, kind, ids })
})

/** Undoes what came to a mission or left it, but for leads that somebody else touched. */
const undoLinksOf = Effect.fnUntraced(function* (change: Change, span: Span, leadIds: ReadonlyArray<string>) {
  const others = new Set(yield* othersOf(change, span, { kind: "lead", ids: leadIds }))
  const free = leadIds.filter((id) => !others.has(id))
  if (free.length === 0) return yield* touched()
  yield* undoLinks(change, free)
  if ((yield* othersOf(change, span, { kind: "lead", ids: free })).length > 0) return yield* touched()
  return outcomeOf(change, leadsOf(free), [["TOUCHED", [...others]]])
})

const undoHeld = Effect.fnUntraced(function* (change: Change, span: Span) {
  const { organizationId } = yield* Actor
  const { id, subject } = change
  const leadIds = linkedBy(change)
  const outcome = leadIds === undefined ? undefined : yield* undoLinksOf(change, span, leadIds)
  if (outcome === undefined) {
    yield* undoChange(change)
    const ids = [subject.id]
    if ((yield* othersOf(change, span, { kind: subject.type, ids })).length > 0) return yield* touched()
  }
  if (!(yield* (yield* RunsRepo).markUndone(organizationId, id, yield* now))) return yield* touched()
  return outcome ?? outcomeOf(change, [subject], [])
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
  const { organizationId } = yield* Actor
  const mark = Effect.flatMap(Effect.all([RunsRepo, now]), ([repo, at]) =>
    repo.markUndone(organizationId, change.id, at)
  )
  const taken = yield* takeBackImport(change.subject.id, true)
  yield* undoing(
    Effect.andThen(taken === undefined ? Effect.void : settleUndone(taken.run, taken.removed.length), mark)
  )
  const kept = [...(taken?.kept ?? [])].map(([why, ids]) => [importReasons[why], ids] as const)
  return outcomeOf(change, [change.subject, ...leadsOf(taken?.removed ?? [])], kept)
})

/** Why a refusal keeps a change. A draft that is over was sent, unless it was cancelled. */
const keptBy = Effect.fnUntraced(function* ({ subject }: Change, { code }: Failure) {
  if (code !== "DRAFT_FINAL") return refusedReason(code)
  return (yield* readDraft(subject.id)).row.status === "CANCELLED" ? "TOUCHED" : "SENT"
})

const undoOne = Effect.fnUntraced(function* (change: Change, span: Span) {
  const keep = (reason: KeptChangeReason): Outcome => ({
    change,
    undone: [],
    kept: [{ subject: change.subject, reason }]
  })
  if (change.former === null || "final" in change.former) return keep(finalReason(change.type))
  const undone = Effect.gen(function* () {
    return yield* change.type === "import.started" ? undoImportOf(change) : undoing(undoHeld(change, span))
  })
  return yield* Effect.catch(undone, (failure) =>
    failure._tag === "Unavailable"
      ? Effect.fail(failure)
      : Effect.map(
          Effect.catchTag(keptBy(change, failure), "NotFound", () => Effect.succeed("GONE" as const)),
          keep
        )
  )
})

const keyOf = ({ id, type }: Subject): string => `${type} ${id}`

/** Undoes the changes of a span, the latest first, and returns what became of each. Fails with UNAVAILABLE. */
export const undoChanges = Effect.fnUntraced(function* (span: Span) {
  const { organizationId } = yield* Actor
  const found = yield* (yield* RunsRepo).changes(organizationId, span, maxChanges + 1)
  const staying = new Set<string>()
  const outcomes: Array<Outcome> = []
  for (const change of found.slice(0, maxChanges)) {
    const { subject } = change
    const isBelowKept = staying.has(keyOf(subject)) && linkedBy(change) === undefined
    const outcome: Outcome = isBelowKept
      ? { change, undone: [], kept: [{ subject, reason: "LATER_KEPT" }] }
      : yield* undoOne(change, span)
    for (const kept of outcome.kept) staying.add(keyOf(kept.subject))
    outcomes.push(outcome)
  }
  return { outcomes, isComplete: found.length <= maxChanges }
})
