import { assert, describe, it } from "@effect/vitest"
import type { Identity, IdentityKind } from "#core/leads/identity/Identity.ts"
import { conflictFailure, type MatchDecision, type OnConflict } from "#core/leads/identity/Matching.ts"
import { LeadModel } from "./LeadModel.ts"

const id = (kind: IdentityKind, value: string, derived = false): Identity => ({ kind, value, derived })
const custom = id("custom_id", "crm-1")
const member5 = id("member_id", "5")
const member6 = id("member_id", "6", true)
const token = id("profile_token", "ACoAA-token-of-5")
const slug = id("slug", "ada")
const email = id("email", "ada@example.com")

const decide = (
  leads: Readonly<Record<string, ReadonlyArray<Identity>>>,
  given: ReadonlyArray<Identity>,
  onConflict: OnConflict = "error",
  leadId?: string
): MatchDecision => new LeadModel(leads).decide(given, onConflict, leadId)

const update = (leadId: string, parts: Partial<Extract<MatchDecision, { _tag: "Update" }>> = {}): MatchDecision => ({
  _tag: "Update",
  leadId,
  add: [],
  move: [],
  remove: [],
  warnings: [],
  ...parts
})
const conflict = (leadIds: ReadonlyArray<string>, warnings: ReadonlyArray<string>): MatchDecision => ({
  _tag: "Conflict",
  leadIds,
  warnings
})
const modes: ReadonlyArray<OnConflict> = ["error", "prefer_strongest", "merge"]

describe("Matching", () => {
  it("creates when nothing resolves, and updates the one lead that does", () => {
    for (const mode of modes) {
      assert.deepStrictEqual(decide({}, [email, member5], mode), { _tag: "Create", add: [member5, email] })
      assert.deepStrictEqual(
        decide({ ld_a: [email, slug] }, [email, member5], mode),
        update("ld_a", { add: [member5] })
      )
      assert.deepStrictEqual(decide({ ld_a: [email, slug] }, [slug, email], mode), update("ld_a"))
      assert.deepStrictEqual(decide({ ld_a: [] }, [email], mode, "ld_a"), update("ld_a", { add: [email] }))
      assert.deepStrictEqual(decide({ ld_a: [email] }, [], mode, "ld_a"), update("ld_a"))
    }
  })

  it("refuses two leads by default and says who holds what", () => {
    assert.deepStrictEqual(
      decide({ ld_b: [member5], ld_a: [email, slug] }, [email, member5]),
      conflict(["ld_a", "ld_b"], ["member_id 5 belongs to ld_b", "email ada@example.com belongs to ld_a"])
    )
    assert.deepStrictEqual(
      decide({ ld_a: [custom], ld_b: [email] }, [email], "error", "ld_a"),
      conflict(["ld_a", "ld_b"], ["email ada@example.com belongs to ld_b"])
    )
  })

  it("lets another member id veto a mutable match, derived or not, in every mode", () => {
    for (const mode of modes) {
      for (const held of [member5, { ...member5, derived: true }]) {
        assert.deepStrictEqual(
          decide({ ld_a: [held, email] }, [member6, email], mode),
          conflict(
            ["ld_a"],
            ["email ada@example.com belongs to ld_a", "ld_a has member_id 5, but member_id 6 was given"]
          )
        )
      }
    }
  })

  it("lets it veto permanent matches and an explicit lead_id too", () => {
    assert.strictEqual(decide({ ld_a: [member5, token] }, [token, member6])._tag, "Conflict")
    assert.strictEqual(decide({ ld_a: [member5, custom] }, [custom, member6])._tag, "Conflict")
    assert.strictEqual(decide({ ld_a: [member5] }, [member6], "error", "ld_a")._tag, "Conflict")
  })

  it("lets tokens differ where the member ids do not", () => {
    const other = id("profile_token", "ACoAA-other-token-of-5")
    assert.deepStrictEqual(decide({ ld_a: [member5, token] }, [member5, other]), update("ld_a", { add: [other] }))
    assert.deepStrictEqual(decide({ ld_a: [token, email] }, [other, email]), update("ld_a", { add: [other] }))
  })

  it("replaces a custom id only for an explicit lead_id", () => {
    const renamed = id("custom_id", "crm-2")
    assert.deepStrictEqual(
      decide({ ld_a: [custom, email] }, [renamed], "error", "ld_a"),
      update("ld_a", { add: [renamed], remove: [custom] })
    )
    assert.deepStrictEqual(
      decide({ ld_a: [custom, email] }, [renamed, email]),
      conflict(
        ["ld_a"],
        ["email ada@example.com belongs to ld_a", "ld_a has custom_id crm-1, but custom_id crm-2 was given"]
      )
    )
    assert.strictEqual(
      decide({ ld_a: [custom], ld_b: [renamed] }, [renamed], "prefer_strongest", "ld_a")._tag,
      "Conflict"
    )
  })

  it("moves mutable identifiers to the strongest lead where the other keeps one", () => {
    assert.deepStrictEqual(
      decide({ ld_a: [member5], ld_b: [email, slug] }, [email, member5], "prefer_strongest"),
      update("ld_a", {
        move: [{ identity: email, fromLeadId: "ld_b" }],
        warnings: ["email ada@example.com moved from ld_b to ld_a"]
      })
    )
    assert.deepStrictEqual(
      decide({ ld_a: [member5], ld_b: [email] }, [email, member5], "prefer_strongest"),
      update("ld_a", { warnings: ["email ada@example.com stays with ld_b, which has no other identifier"] })
    )
    assert.deepStrictEqual(
      decide({ ld_a: [member5], ld_b: [email, slug] }, [email, slug, member5], "prefer_strongest"),
      update("ld_a", {
        move: [{ identity: slug, fromLeadId: "ld_b" }],
        warnings: [
          "slug ada moved from ld_b to ld_a",
          "email ada@example.com stays with ld_b, which has no other identifier"
        ]
      })
    )
    assert.strictEqual(
      decide({ ld_b: [slug], ld_a: [email, custom] }, [slug, email], "prefer_strongest")._tag,
      "Update"
    )
  })

  it("never moves a permanent identifier", () => {
    const leads = { ld_a: [custom, email], ld_b: [member5, slug] }
    assert.strictEqual(decide(leads, [custom, member5], "prefer_strongest")._tag, "Conflict")
    assert.strictEqual(decide(leads, [member5], "prefer_strongest", "ld_a")._tag, "Conflict")
  })

  it("merges into the lead of the strongest identifier, the oldest on ties, or the one named", () => {
    const leads = { ld_a: [email], ld_b: [member5], ld_c: [slug] }
    const given = [slug, email, member5, token]
    assert.deepStrictEqual(decide(leads, given, "merge"), {
      _tag: "Merge",
      winner: "ld_b",
      losers: ["ld_a", "ld_c"],
      add: [token]
    })
    const named = decide(leads, given, "merge", "ld_c")
    assert.strictEqual(named._tag === "Merge" ? named.winner : "", "ld_c")
    const other = id("profile_token", "ACoAA-another")
    const tie = decide({ ld_z: [token], ld_y: [other] }, [token, other], "merge")
    assert.strictEqual(tie._tag === "Merge" ? tie.winner : "", "ld_y")
  })

  it("does not merge two members, nor two custom ids", () => {
    assert.deepStrictEqual(
      decide({ ld_a: [email, member5], ld_b: [slug, member6] }, [email, slug], "merge"),
      conflict(
        ["ld_a", "ld_b"],
        [
          "slug ada belongs to ld_b",
          "email ada@example.com belongs to ld_a",
          "ld_a has member_id 5",
          "ld_b has member_id 6"
        ]
      )
    )
    assert.strictEqual(
      decide({ ld_a: [email], ld_b: [slug, custom] }, [id("custom_id", "crm-2"), email, slug], "merge")._tag,
      "Conflict"
    )
  })

  it("answers a conflict with 409, the leads in the message and the holders as warnings", () => {
    const failure = conflictFailure({ _tag: "Conflict", leadIds: ["ld_a", "ld_b"], warnings: ["w"] })
    assert.strictEqual(failure.code, "IDENTITY_CONFLICT")
    assert.include(failure.message, "ld_a, ld_b")
    assert.deepStrictEqual(failure.warnings, ["w"])
    assert.include(conflictFailure({ _tag: "Conflict", leadIds: ["ld_a"], warnings: [] }).message, "ld_a")
  })
})
