/** Laws of matching over random histories of a small workspace, carried out on a model store. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  type Identity,
  identityKey,
  identityKinds,
  isPermanent,
  singleValuedKinds
} from "#core/leads/identity/Identity.ts"
import { decideMatch, type OnConflict } from "#core/leads/identity/Matching.ts"
import { effort } from "../../../support/effort.ts"
import { LeadModel } from "./LeadModel.ts"

const identity: fc.Arbitrary<Identity> = fc.record({
  kind: fc.constantFrom(...identityKinds),
  value: fc.constantFrom("1", "2", "3"),
  derived: fc.constant(false)
})

/** As `readIdentityInput` gives them: at most one value of a single-valued kind. */
const given = fc.array(identity, { minLength: 1, maxLength: 5 }).map((identities) => {
  const seen = new Set<string>()
  return identities.filter((one) => {
    const key = singleValuedKinds.some((kind) => kind === one.kind) ? one.kind : identityKey(one)
    return !seen.has(key) && seen.add(key)
  })
})

interface Step {
  readonly given: ReadonlyArray<Identity>
  readonly onConflict: OnConflict
  readonly pick: number | undefined
}
const step: fc.Arbitrary<Step> = fc.record({
  given,
  onConflict: fc.constantFrom("error", "prefer_strongest", "merge"),
  pick: fc.option(fc.nat(20), { nil: undefined, freq: 5 })
})
const history = fc.array(step, { minLength: 1, maxLength: 14 })

const leadIdOf = (model: LeadModel, { pick }: Step): string | undefined =>
  pick === undefined ? undefined : [...model.leads.keys()][pick % Math.max(1, model.leads.size)]

/** Runs the history, calling `check` before each step is carried out. */
const run = (steps: ReadonlyArray<Step>, check: (model: LeadModel, step: Step, leadId?: string) => void): LeadModel => {
  const model = new LeadModel({})
  for (const one of steps) {
    const leadId = leadIdOf(model, one)
    check(model, one, leadId)
    model.apply(model.decide(one.given, one.onConflict, leadId))
  }
  return model
}

const snapshot = (model: LeadModel) => new LeadModel(Object.fromEntries(model.leads))

describe("laws of matching", () => {
  it("does not depend on the order of identifiers, resolutions or leads", () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(history, fc.infiniteStream(fc.integer()), (steps, random) => {
        const shuffle = <A>(items: Iterable<A>): ReadonlyArray<A> =>
          [...items]
            .map((item) => ({ item, order: random.next().value ?? 0 }))
            .sort((a, b) => a.order - b.order)
            .map(({ item }) => item)
        run(steps, (model, one, leadId) => {
          const request = model.request(one.given, one.onConflict, leadId)
          const decision = decideMatch(request)
          seen.add(decision._tag)
          const shuffled = decideMatch({
            ...request,
            given: shuffle([...request.given, ...request.given]),
            resolved: shuffle(request.resolved),
            held: new Map(shuffle([...request.held].map(([key, held]) => [key, shuffle(held)] as const)))
          })
          assert.deepStrictEqual(shuffled, decision)
        })
      }),
      { numRuns: effort(500) }
    )
    assert.deepStrictEqual([...seen].sort(), ["Conflict", "Create", "Merge", "Update"])
  })

  it("never gives a lead two values of a single-valued kind, nor an identity two leads", () => {
    fc.assert(
      fc.property(history, (steps) => {
        const model = run(steps, () => {})
        for (const [leadId, held] of model.leads) {
          assert.strictEqual(new Set(held.map(identityKey)).size, held.length)
          for (const kind of singleValuedKinds) {
            assert.isAtMost(held.filter((one) => one.kind === kind).length, 1, `${leadId} ${kind}`)
          }
        }
      }),
      { numRuns: effort(1_000) }
    )
  })

  it("never takes a permanent identifier, or the last one, from a lead that lives on", () => {
    fc.assert(
      fc.property(history, (steps) => {
        run(steps, (model, one, leadId) => {
          const after = snapshot(model)
          const written = after.apply(model.decide(one.given, one.onConflict, leadId))
          for (const [other, held] of model.leads) {
            const left = after.leads.get(other)
            if (other === written || left === undefined) continue
            assert.deepStrictEqual(
              left.filter((identity) => isPermanent(identity.kind)),
              held.filter((identity) => isPermanent(identity.kind))
            )
            assert.isTrue(left.length > 0 || held.length === 0, other)
          }
        })
      }),
      { numRuns: effort(500) }
    )
  })

  it("leaves every given identifier with the written lead, or says in a warning where it stays", () => {
    fc.assert(
      fc.property(history, (steps) => {
        run(steps, (model, one, leadId) => {
          const after = snapshot(model)
          const decision = model.decide(one.given, one.onConflict, leadId)
          const written = after.apply(decision)
          if (written === undefined) return
          const warnings = decision._tag === "Update" ? decision.warnings : []
          for (const identity of one.given) {
            const owner = after.ownerOf(identity)
            if (owner === written) continue
            assert.include(warnings.join("\n"), `${identity.kind} ${identity.value} stays with ${owner}`)
          }
        })
      }),
      { numRuns: effort(500) }
    )
  })

  it("changes nothing when the same input comes again", () => {
    fc.assert(
      fc.property(history, (steps) => {
        run(steps, (model, one, leadId) => {
          const after = snapshot(model)
          const written = after.apply(model.decide(one.given, one.onConflict, leadId))
          if (written === undefined) return
          const again = after.decide(one.given, one.onConflict, leadId)
          if (again._tag !== "Update") return assert.fail(`${again._tag} after a write`)
          assert.strictEqual(again.leadId, written)
          assert.deepStrictEqual([again.add, again.move, again.remove], [[], [], []])
        })
      }),
      { numRuns: effort(500) }
    )
  })
})
