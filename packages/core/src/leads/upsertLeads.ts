/**
 * Creating and changing many leads at once, as imports do: the same outcome for every row as `upsertLead` row after row,
 * in a number of statements that does not grow with the rows.
 *
 * Source: G18, G21; issue 3 "Imports at scale".
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import { Actor } from "../Actor.ts"
import { Execution } from "../Execution.ts"
import type { Failure } from "../Failure.ts"
import { Ids } from "../Ids.ts"
import { now } from "../Time.ts"
import { announceStatus } from "./announceStatus.ts"
import { IdentityOptions } from "./IdentityOptions.ts"
import { type Identity, identityKey } from "./identity/Identity.ts"
import type { TokenOptions } from "./identity/MemberToken.ts"
import type { LeadRow } from "./Lead.ts"
import { LeadBatch } from "./LeadBatch.ts"
import type { LeadConsequences } from "./LeadConsequences.ts"
import type { LeadStatus } from "./LeadStatus.ts"
import { type LeadReferences, LeadsRepo } from "./LeadsRepo.ts"
import { checkAliases, decideUpsert, type MeantLead, planUpsert } from "./planUpsert.ts"
import { readLeadItem } from "./readLeadItem.ts"
import { referenceOf } from "./readReference.ts"
import type { UpsertOptions } from "./upsertLead.ts"

/** How one of many rows ended, as far as its caller counts. */
export interface UpsertedRow {
  readonly leadId: string
  readonly change: "created" | "updated" | "unchanged"
  readonly linked: boolean
}

type Needs = Actor | Execution | Ids | LeadsRepo | LeadConsequences

/** Reads one item of a list; see {@link meantLeadReader}. */
export type MeantLeadReader = (item: unknown) => Result.Result<MeantLead, Failure>

const readMeantLead =
  (options: TokenOptions): MeantLeadReader =>
  (item) => {
    const read = readLeadItem(item)
    if (Result.isFailure(read)) return Result.fail(read.failure)
    const input = read.success
    const aliases = checkAliases(input)
    if (Result.isFailure(aliases)) return Result.fail(aliases.failure)
    return Result.map(referenceOf(input, options), (reference) => ({ input, reference }))
  }

/**
 * A reader of items with the fields of lead.upsert, in either spelling, down to whom they mean; no store is asked. It
 * fails as `readLeadItem` and `readReference` do.
 */
export const meantLeadReader: Effect.Effect<MeantLeadReader> = Effect.map(IdentityOptions, readMeantLead)

const referencesOf = (items: ReadonlyArray<MeantLead>, mission: string | undefined): LeadReferences => {
  const identities = new Map<string, Identity>()
  const leadIds = new Set<string>()
  for (const { reference } of items) {
    for (const identity of reference.identities) identities.set(identityKey(identity), identity)
    if (reference.leadId !== undefined) leadIds.add(reference.leadId)
  }
  return { identities: [...identities.values()], leadIds: [...leadIds], mission }
}

/**
 * Items before the first write: few, since the store has nothing to do until then. Those of the next write are decided
 * while the store writes, which takes three times as long, so each write has twice as many items as all before it.
 */
const firstWrite = 100

/** The most items of a write. */
const mostWritten = 1_000

/** Items decided before other work gets its turn, such as passing on what the store asks for. */
const turn = 250

/** A change of status, which has its consequences once it is written. */
interface StatusChange {
  readonly before: LeadStatus
  readonly row: LeadRow
}

/**
 * Writes items in their order, inside a transaction, and answers for each what `upsertLead` would have answered, refusals
 * included. Fails as a whole only when the store does. Conflicts are refused; warnings of single rows are dropped.
 * `onLocked` is run when all leads that exist already are found and locked: from then on only new ones are added.
 */
export const upsertLeads = Effect.fnUntraced(function* (
  items: ReadonlyArray<MeantLead>,
  { mission, source }: Omit<UpsertOptions, "onConflict">,
  onLocked: Effect.Effect<unknown> = Effect.void
): Effect.fn.Return<ReadonlyArray<Result.Result<UpsertedRow, Failure>>, Failure, Needs> {
  if (items.length === 0) {
    yield* onLocked
    return []
  }
  const { organizationId } = yield* Actor
  const repo = yield* LeadsRepo
  const makeId = yield* (yield* Ids).maker
  const execution = yield* Execution
  const batch = new LeadBatch(yield* repo.resolveMany(organizationId, referencesOf(items, mission)))
  yield* onLocked
  const at = yield* now
  const statusChanges: Array<StatusChange> = []
  const rows: Array<Result.Result<UpsertedRow, Failure>> = []
  let writing: Fiber.Fiber<void, Failure> | undefined
  let nextWrite = firstWrite

  const flush = Effect.gen(function* () {
    const change = batch.takeChange(organizationId)
    const write = change && repo.writeMany(change)
    if (writing !== undefined) yield* Fiber.join(writing)
    writing = write && (yield* Effect.forkChild(write, { startImmediately: true }))
  })

  for (const { input, reference } of items) {
    if (rows.length === nextWrite) {
      yield* flush
      nextWrite = rows.length + Math.min(2 * rows.length, mostWritten)
    } else if (rows.length % turn === turn - 1) yield* Effect.yieldNow
    const found = batch.find(reference)
    const request = { organizationId, input, reference, mission, onConflict: "error" as const, source, found }
    const decided = decideUpsert(request)
    if (Result.isFailure(decided)) {
      rows.push(Result.fail(decided.failure))
      continue
    }
    const newId = decided.success._tag === "Create" ? makeId("ld") : ""
    const planned = planUpsert(request, decided.success, newId, at)
    if (Result.isFailure(planned)) {
      rows.push(Result.fail(planned.failure))
      continue
    }
    const plan = planned.success
    const { before, change, events, link, result } = plan
    batch.apply(plan)
    for (const event of events) yield* execution.emit(event)
    if (before !== undefined && before.status !== result.row.status) {
      statusChanges.push({ before: before.status, row: result.row })
    }
    rows.push(Result.succeed({ leadId: result.row.id, change, linked: link !== undefined }))
  }
  yield* flush
  if (writing !== undefined) yield* Fiber.join(writing)
  for (const { before, row } of statusChanges) yield* announceStatus(before, row)
  return rows
})
