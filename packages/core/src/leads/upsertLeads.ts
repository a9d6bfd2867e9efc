/**
 * Creating or updating leads, matched by any identifier: one path for `lead.upsert`, which is a list of one, and for imports.
 *
 * Every refusal happens before anything is written, so a refused item leaves the others as they are. At most three statements
 * besides the journal's for a list of one: find and lock, merge, write.
 */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import { Actor, Execution } from "../kernel/command/Execution.ts"
import type { InvalidInput, StoreFailure, UnknownField } from "../kernel/failure/failures.ts"
import { decoder } from "../kernel/schema/Decode.ts"
import { Ids, type LeadId, now } from "../kernel/schema/IdsAndTime.ts"
import { camelCase } from "../kernel/schema/snakeCase.ts"
import type { ItemRefusal, ReferenceRefusal, UpsertRefusal } from "./failures.ts"
import { IdentityOptions, type TokenOptions } from "./identity/Identity.ts"
import { referenceOf } from "./identity/IdentityInput.ts"
import { LeadUpsertInput } from "./Lead.ts"
import { emptyResolution, LeadBatch, referencesOf } from "./LeadBatch.ts"
import { announceMergedStatus, LeadConsequences } from "./LeadConsequences.ts"
import { type LeadLocks, type LeadReference, LeadsRepo, type StoredLead } from "./LeadsRepo.ts"
import { afterDetaching } from "./mergeLeads.ts"
import type { OwnField } from "./ownFields.ts"
import { readValues } from "./ownValues.ts"
import {
  checkAliases,
  decideUpsert,
  type IdentifiedLead,
  planUpsert,
  type UpsertOptions,
  type UpsertPlan
} from "./planUpsert.ts"

/** Field names by their camelCase spelling. */
const spellings = new Map(Object.keys(LeadUpsertInput.fields).map((name) => [camelCase(name), name]))

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

/** Decodes one item of a list; see {@link leadItemReader}. */
export type LeadItemReader = (item: unknown) => Result.Result<IdentifiedLead, ItemRefusal>

/**
 * Parses the identifiers of a decoded item, and its values of own fields. Fails as `readReference` and `readValues` do, and when a
 * field and its alias differ.
 */
export const identifyLead = (
  given: LeadUpsertInput,
  options: TokenOptions,
  fields: ReadonlyArray<OwnField>
): Result.Result<IdentifiedLead, ReferenceRefusal> =>
  Result.gen(function* () {
    yield* checkAliases(given)
    const input = given.fields === undefined ? given : { ...given, fields: yield* readValues(given.fields, fields) }
    return { input, reference: yield* referenceOf(input, options) }
  })

/**
 * Decodes items and parses them by the definitions of own fields, without the store. Fails like `readLeadItem` and
 * `identifyLead`.
 */
export const leadItemReader = (fields: ReadonlyArray<OwnField>): Effect.Effect<LeadItemReader> =>
  Effect.map(
    IdentityOptions,
    (options): LeadItemReader =>
      (item) =>
        Result.flatMap(readLeadItem(item), (input) => identifyLead(input, options, fields))
  )

/** Items in the first write of a long list; each later write has twice as many as all before it, since writing takes longer. */
const firstWriteSize = 100

/** Maximum number of items per write. */
const maxWriteSize = 1_000

/** Items decided before yielding to other fibers. */
const yieldEvery = 250

/** The call that an item came with. */
type Caller = Context.Context<Actor | Execution>

/** An item of a list; `context` is by default the running call. */
export interface UpsertItem extends IdentifiedLead {
  readonly context?: Caller | undefined
  readonly options: UpsertOptions
}

const referenceIn = ({ options: { mission }, reference }: UpsertItem): LeadReference => ({ ...reference, mission })

/** What became of an item. */
export interface UpsertedLead {
  readonly leadId: LeadId
  readonly change: "created" | "updated" | "unchanged"
  readonly linked: boolean
  readonly stored: StoredLead
}

type Outcome<F> = Result.Result<UpsertedLead, F | UpsertRefusal> | undefined

const outcomeOf = ({ change, link, result }: UpsertPlan, stored: StoredLead): Result.Result<UpsertedLead> =>
  Result.succeed({ leadId: result.row.id, change, linked: link !== undefined, stored })

/** Announces a written change of status. */
const announced = ({ before, mergedStatuses, result }: UpsertPlan) =>
  Effect.as(announceMergedStatus([before?.status ?? result.row.status, ...mergedStatuses], result.row), result)

/**
 * Applies what a written item means for drafts and what waits to be sent, and returns the lead. Fails with DRAFT_IN_FLIGHT and
 * SEND_OUTCOME_UNKNOWN, and when leads were merged with DRAFT_OPEN.
 */
export const withConsequences = Effect.fnUntraced(function* (plan: UpsertPlan) {
  const { losers, released, result } = plan
  const { id, organizationId } = result.row
  if (losers.length > 0) yield* (yield* LeadConsequences).onMerge(organizationId, id, losers)
  const lead = yield* announced(plan)
  return released.length === 0 ? lead : yield* afterDetaching(lead, released)
})

/** How a list is written. */
interface ListOptions<E, R> {
  /** With `skip`, what another transaction holds is left out, and of several items one that may fail after it was written. */
  readonly locks: LeadLocks
  /** Runs once all existing leads are locked; after that only new leads are added. */
  readonly onLocked?: Effect.Effect<unknown>
  /** Runs for each written lead that was there before, and returns it; a failure fails the whole list. */
  readonly after: (plan: UpsertPlan) => Effect.Effect<StoredLead, E, R>
}

/** {@link ListOptions} of an import, which neither merges leads nor removes identifiers. */
export const bulk = { locks: "bulk", after: announced } as const

/**
 * Writes items in order, inside a transaction, and returns what became of each; undefined if it was left out and must run in a
 * list of its own. The same input again changes nothing. An item is refused with IDENTITY_CONFLICT, INVALID_INPUT, NOT_FOUND
 * (lead id or mission), MISSION_ARCHIVED, LAST_IDENTIFIER and LEAD_SUPPRESSED (leaving DoNotContact; any change by an import).
 */
export const upsertLeads = Effect.fnUntraced(function* <F, E, R>(
  items: ReadonlyArray<Result.Result<UpsertItem, F>>,
  { after, locks, onLocked = Effect.void }: ListOptions<E, R>
) {
  const { organizationId } = yield* Actor
  const repo = yield* LeadsRepo
  const makeId = yield* (yield* Ids).maker
  const running = yield* Effect.context<Actor | Execution>()
  const references = items.flatMap((item) => (Result.isSuccess(item) ? [referenceIn(item.success)] : []))
  const batch = new LeadBatch(
    references.length === 0 ? emptyResolution : yield* repo.resolve(organizationId, referencesOf(references), locks)
  )
  yield* onLocked
  const at = yield* now
  let writing: Fiber.Fiber<void, StoreFailure> | undefined
  let nextWrite = firstWriteSize

  const takeWrite = () => {
    const change = batch.takeChange(organizationId)
    return change && repo.write({ ...change, isBulk: locks === "bulk" })
  }
  const decide = (item: UpsertItem): Result.Result<UpsertPlan, UpsertRefusal> => {
    const request = { ...item, ...item.options, organizationId, found: batch.find(referenceIn(item)) }
    return Result.flatMap(decideUpsert(request), (decision) =>
      planUpsert(request, decision, decision._tag === "Create" ? makeId("ld") : "", at)
    )
  }

  const outcomes: Array<Outcome<F>> = []
  /** Known leads, which are announced once everything is written. */
  const announcing: Array<readonly [index: number, UpsertPlan, Caller]> = []
  for (const [index, item] of items.entries()) {
    if (index === nextWrite) {
      const write = takeWrite()
      if (writing !== undefined) yield* Fiber.join(writing)
      writing = write && (yield* Effect.forkChild(write, { startImmediately: true }))
      nextWrite = index + Math.min(2 * index, maxWriteSize)
    } else if (index % yieldEvery === yieldEvery - 1) yield* Effect.yieldNow
    const isBusy = Result.isSuccess(item) && batch.isBusy(item.success.reference)
    const decided = isBusy ? undefined : Result.flatMap(item, decide)
    if (decided === undefined || Result.isFailure(decided)) {
      outcomes.push(decided && Result.fail(decided.failure))
      continue
    }
    const plan = decided.success
    const { before, events, losers, released, result, warnings } = plan
    if (locks === "skip" && items.length > 1 && losers.length + released.length > 0) {
      outcomes.push(undefined)
      continue
    }
    const { context = running, options } = Result.getOrThrow(item)
    const { emit, warn } = Context.get(context, Execution)
    if (options.source === "user") for (const warning of warnings) yield* warn(warning)
    if (losers.length > 0) yield* repo.merge(organizationId, result.row.id, losers, at)
    batch.apply(plan)
    for (const event of events) yield* emit(event)
    outcomes.push(outcomeOf(plan, result))
    if (before !== undefined) announcing.push([index, plan, context])
  }
  const last = takeWrite()
  if (writing !== undefined) yield* Fiber.join(writing)
  if (last !== undefined) yield* last
  for (const [index, plan, context] of announcing) {
    outcomes[index] = outcomeOf(plan, yield* Effect.provideContext(after(plan), context))
  }
  return outcomes
})
