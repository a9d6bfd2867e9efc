/**
 * The oracle of imports: rows written many at a time end exactly as the same rows through `upsertLead` one by one, on
 * every store: outcomes, refusals, leads, identifiers and missions.
 */

import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { Dispatch } from "#core/kernel/command/Dispatch.ts"
import { Actor, Execution } from "#core/kernel/command/Execution.ts"
import type { StoreFailure } from "#core/kernel/failure/failures.ts"
import { Transaction } from "#core/kernel/journal/Journal.ts"
import { LeadsRepo, type StoredLead } from "#core/leads/LeadsRepo.ts"
import { leadItemReader } from "#core/leads/upsertLeads.ts"
import { effort } from "../support/effort.ts"
import { keepQuietLeads } from "../support/keptLeads.ts"
import { owner } from "../support/memory.ts"
import { organization } from "../support/organization.ts"
import { upsertMany, upsertOne } from "../support/upsertList.ts"
import { eachBackend } from "./backends.ts"

type Item = Readonly<Record<string, unknown>>

/** Few people, several identifiers each, so that rows meet, repeat and contradict each other. */
const person = fc.integer({ min: 0, max: 5 })
const some = <A>(arbitrary: fc.Arbitrary<A>) => fc.option(arbitrary, { nil: undefined, freq: 2 })
const item: fc.Arbitrary<Item> = fc
  .record({
    email: some(
      fc.oneof(
        person.map((n) => `person${n}@example.com`),
        person.map((n) => `PERSON${n}@Example.com`),
        fc.constantFrom("", "no mail")
      )
    ),
    linkedin_url: some(
      fc.oneof(
        person.map((n) => `https://www.linkedin.com/in/person-${n}`),
        fc.constantFrom("", "https://example.com")
      )
    ),
    linkedin_id: some(person.map((n) => `urn:li:member:${n + 1}`)),
    custom_id: some(person.map((n) => `crm-${n}`)),
    name: some(fc.constantFrom("Ada Lovelace", "Grace Hopper", "Élodie  ", "")),
    first_name: some(fc.constantFrom("Ada", "")),
    company: some(fc.constantFrom("Acme", "Globex", "")),
    job_title: some(fc.constantFrom("CFO", "")),
    headline: some(fc.constantFrom("Finance", "")),
    title: some(fc.constant("Finance")),
    score: some(fc.constantFrom(0, 12.5, 100)),
    status: some(fc.constantFrom("New", "DoNotContact", "Contacted")),
    skills: some(fc.constantFrom([], ["excel"]))
  })
  .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)))

const batches = fc.array(fc.array(item, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 3 })

const quiet = Execution.of({
  dryRun: false,
  emit: () => Effect.void,
  warn: () => Effect.void,
  commit: (step) => step,
  finish: () => Effect.die("not a command")
})

const told = (result: Result.Result<{ change: string; linked: boolean }, { code: string; message: string }>): string =>
  Result.isSuccess(result) ? `${result.success.change} ${result.success.linked}` : result.failure.code

/** Runs all batches with one of the two ways, in an organization of its own, and describes what is there afterwards. */
const outcome = Effect.fnUntraced(function* (
  org: string,
  given: ReadonlyArray<ReadonlyArray<Item>>,
  way: "one" | "many"
) {
  yield* organization(org)
  const actor = owner(org)
  const dispatch = yield* Dispatch
  yield* dispatch.run({ command: "mission.create", input: { name: "Oracle" }, actor })
  // A person's own words, which no import may change, and somebody who must be left alone.
  yield* dispatch.run({
    command: "lead.upsert",
    input: { email: "person0@example.com", custom_id: "crm-0", company: "Mine" },
    actor
  })
  yield* dispatch.run({
    command: "lead.upsert",
    input: { email: "person1@example.com", status: "DoNotContact" },
    actor
  })
  yield* dispatch.run({ command: "lead.upsert", input: { linkedin_id: "urn:li:member:3", name: "Third" }, actor })
  const read = yield* leadItemReader([])
  const transaction = yield* Transaction
  const options = { source: "import", mission: "oracle" } as const
  const verdicts: Array<string> = []
  for (const items of given) {
    const sources = items.map(read)
    const meant = sources.flatMap((source) => (Result.isSuccess(source) ? [source.success] : []))
    const write =
      way === "many"
        ? Effect.map(upsertMany(meant, options.mission), (results) => results.map(told))
        : Effect.forEach(meant, ({ input }) => Effect.map(Effect.result(upsertOne(input, options)), told))
    const results = yield* transaction
      .run<ReadonlyArray<string>, StoreFailure, Effect.Services<typeof write>>(write)
      .pipe(Effect.provideService(Actor, actor), Effect.provideService(Execution, quiet))
    verdicts.push(...sources.filter(Result.isFailure).map(({ failure }) => failure.code), ...results)
  }
  yield* keepQuietLeads
  const repo = yield* LeadsRepo
  const page = yield* repo.search(org, {}, "name", { limit: 100, after: undefined }, "2026-11-21T08:00:00.000Z")
  const leads: Array<unknown> = []
  for (const { id } of page.items) {
    const found = yield* repo.find(org, { identities: [], leadId: id })
    for (const lead of found.leads) leads.push(describeLead(lead))
  }
  return { verdicts, leads: leads.map((lead) => JSON.stringify(lead)).sort() }
})

/** A lead without ids and instants, which differ from one run to the next. */
const describeLead = ({ identities, missions, row, suppressions }: StoredLead) => {
  const { createdAt: _c, id: _i, organizationId: _o, provenance, updatedAt: _u, ...content } = row
  return {
    content: Object.fromEntries(Object.entries(content).sort(([a], [b]) => (a < b ? -1 : 1))),
    provenance: Object.entries(provenance).sort(([a], [b]) => (a < b ? -1 : 1)),
    identities: identities.map(({ derived, kind, value }) => `${kind}:${value}:${derived}`).sort(),
    missions: missions.map(({ handle }) => handle).sort(),
    // An entry that names a lead by its id is one of each.
    suppressions: suppressions.map(({ kind, reason }) => `${kind} ${reason}`).sort()
  }
}

let count = 0

eachBackend("imports and upserts", (layer) =>
  it.layer(layer)((it) => {
    it.effect(
      "end alike, whatever the rows",
      () =>
        Effect.gen(function* () {
          for (const given of fc.sample(batches, { numRuns: effort(25), seed: 20_261_121 })) {
            const one = yield* outcome(`org_${++count}`, given, "one")
            const many = yield* outcome(`org_${++count}`, given, "many")
            assert.deepStrictEqual(many, one, JSON.stringify(given))
          }
        }),
      110_000
    )

    it.effect("end alike where rows of one batch are written in several pieces", () =>
      Effect.gen(function* () {
        const given = [fc.sample(item, { numRuns: effort(700), seed: 7 })]
        const one = yield* outcome(`org_${++count}`, given, "one")
        const many = yield* outcome(`org_${++count}`, given, "many")
        assert.deepStrictEqual(many, one)
        assert.isAbove(one.leads.length, 3)
      })
    )
  })
)
