/** Upserting many leads at once, for imports: the same outcome per row as `upsertLead`, in a fixed number of statements. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import { Actor } from "../kernel/command/Actor.ts"
import { Execution } from "../kernel/command/Execution.ts"
import type { InvalidInput, StoreFailure, UnknownField } from "../kernel/failure/failures.ts"
import { decoder } from "../kernel/schema/Decode.ts"
import { Ids } from "../kernel/schema/Ids.ts"
import type { LeadId } from "../kernel/schema/RecordIds.ts"
import { now } from "../kernel/schema/Time.ts"
import type { ItemRefusal, UpsertRefusal } from "./failures.ts"
import { IdentityOptions } from "./IdentityOptions.ts"
import type { TokenOptions } from "./identity/MemberToken.ts"
import type { LeadRow } from "./Lead.ts"
import { LeadBatch, referencesOf } from "./LeadBatch.ts"
import type { LeadConsequences } from "./LeadConsequences.ts"
import { LeadUpsertInput } from "./LeadInput.ts"
import type { LeadStatus } from "./LeadStatus.ts"
import { LeadsRepo } from "./LeadsRepo.ts"
import { checkAliases, decideUpsert, type IdentifiedLead, planUpsert } from "./planUpsert.ts"
import { referenceOf } from "./readReference.ts"
import { announceStatus } from "./storeLead.ts"
import type { UpsertOptions } from "./upsertLead.ts"

/** Field names by their camelCase spelling. */
const spellings = new Map(
  Object.keys(LeadUpsertInput.fields).map((name) => [
    name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    name
  ])
)

const decode = decoder(LeadUpsertInput)

/**
 * Decodes the fields of lead.upsert, in snake_case or camelCase; snake_case wins when both are given. Fails with
 * INVALID_INPUT or UNKNOWN_FIELD.
 */
export const readLeadItem = (item: unknown): Result.Result<LeadUpsertInput, InvalidInput | UnknownField> => {
  if (typeof item !== "object" || item === null || Array.isArray(item)) return decode(item)
  const renamed = Object.entries(item).map(([name, value]): [string, unknown] => [spellings.get(name) ?? name, value])
  return decode({ ...Object.fromEntries(renamed), ...onlySnakeCase(item) })
}

const onlySnakeCase = (item: object): object =>
  Object.fromEntries(Object.entries(item).filter(([name]) => spellings.get(name) === undefined))

/** The outcome of one row. */
export interface UpsertedRow {
  readonly leadId: LeadId
  readonly change: "created" | "updated" | "unchanged"
  readonly linked: boolean
}

type Needs = Actor | Execution | Ids | LeadsRepo | LeadConsequences

/** Decodes one item of a list; see {@link leadItemReader}. */
export type LeadItemReader = (item: unknown) => Result.Result<IdentifiedLead, ItemRefusal>

const leadItemReaderWith =
  (options: TokenOptions): LeadItemReader =>
  (item) => {
    const read = readLeadItem(item)
    if (Result.isFailure(read)) return Result.fail(read.failure)
    const input = read.success
    const aliases = checkAliases(input)
    if (Result.isFailure(aliases)) return Result.fail(aliases.failure)
    return Result.map(referenceOf(input, options), (reference) => ({ input, reference }))
  }

/** Decodes items and parses their identifiers, without the store. Fails like `readLeadItem` and `readReference`. */
export const leadItemReader: Effect.Effect<LeadItemReader> = Effect.map(IdentityOptions, leadItemReaderWith)

/**
 * Items in the first write: few, so that the store starts early. While it writes, the next items are decided; since
 * writing takes three times as long, each write has twice as many items as all before it.
 */
const firstWriteSize = 100

/** Maximum number of items per write. */
const maxWriteSize = 1_000

/** Items decided before yielding to other fibers. */
const yieldEvery = 250

/** A change of status, announced after it is written. */
interface StatusChange {
  readonly before: LeadStatus
  readonly row: LeadRow
}

/**
 * Writes items in order, inside a transaction, and returns the outcome or refusal of each, as `upsertLead` would. Fails
 * only when the store does. Conflicts are refused; warnings are dropped. `onLocked` runs once all existing leads are
 * locked; after that only new leads are added.
 */
export const upsertLeads = Effect.fnUntraced(function* (
  items: ReadonlyArray<IdentifiedLead>,
  { mission, source }: Omit<UpsertOptions, "onConflict">,
  onLocked: Effect.Effect<unknown> = Effect.void
): Effect.fn.Return<ReadonlyArray<Result.Result<UpsertedRow, UpsertRefusal>>, StoreFailure, Needs> {
  if (items.length === 0) {
    yield* onLocked
    return []
  }
  const { organizationId } = yield* Actor
  const repo = yield* LeadsRepo
  const makeId = yield* (yield* Ids).maker
  const execution = yield* Execution
  const batch = new LeadBatch(
    yield* repo.resolveMany(
      organizationId,
      referencesOf(
        items.map(({ reference }) => reference),
        mission
      )
    )
  )
  yield* onLocked
  const at = yield* now
  const statusChanges: Array<StatusChange> = []
  const rows: Array<Result.Result<UpsertedRow, UpsertRefusal>> = []
  let writing: Fiber.Fiber<void, StoreFailure> | undefined
  let nextWrite = firstWriteSize

  const flush = Effect.gen(function* () {
    const change = batch.takeChange(organizationId)
    const write = change && repo.writeMany(change)
    if (writing !== undefined) yield* Fiber.join(writing)
    writing = write && (yield* Effect.forkChild(write, { startImmediately: true }))
  })

  for (const { input, reference } of items) {
    if (rows.length === nextWrite) {
      yield* flush
      nextWrite = rows.length + Math.min(2 * rows.length, maxWriteSize)
    } else if (rows.length % yieldEvery === yieldEvery - 1) yield* Effect.yieldNow
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
