/** Taking wrong identifiers from a lead, by command and by clearing fields, on every store. */
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import type { Dispatch } from "#core/kernel/command/Dispatch.ts"
import { tokenOf } from "../core/leads/identity/arbitraries.ts"
import { inOrganization } from "../support/inOrganization.ts"
import { owner } from "../support/memory.ts"
import { organization } from "../support/organization.ts"
import { code, lead, ok, refused } from "../support/World.ts"
import { eachBackend, eachBackendWith } from "./backends.ts"
import { busyGateways, fateOf, Provider, prepare, provider, round } from "./gateWorld.ts"

const member = "urn:li:member:77"
const profileToken = tokenOf(0x2a, 77)
const salesToken = tokenOf(0x2c, 77)
const sales = `${salesToken},NAME_SEARCH,auth`

const remove = (lead_id: string, named: object) => ok("lead.identifier.remove", { lead_id, ...named })

/** The lead that each identifier finds, or the code. */
const foundBy = (...named: ReadonlyArray<object>) =>
  Effect.forEach(named, (one) =>
    Effect.flatMap(code("lead.get", one), (said) =>
      said === "ok" ? Effect.map(ok("lead.get", one), ({ lead_id }) => String(lead_id)) : Effect.succeed(said)
    )
  )

const lastChange = (lead_id: string) =>
  Effect.map(ok("lead.timeline", { lead_id, limit: 1 }), ({ events }) => [events[0].type, events[0].data.changed])

const linkOf = (slug: string) => `https://www.linkedin.com/in/${slug}`

eachBackend("identifiers of a lead", (layer) =>
  it.layer(layer)((it) => {
    it.effect("a removed one finds nobody, another of its kind is shown, and another lead can have it", () =>
      Effect.gen(function* () {
        const lead_id = yield* lead({ email: "right@example.com", linkedin_url: linkOf("right"), custom_id: "c" })
        yield* TestClock.adjust("1 second")
        yield* ok("lead.upsert", { lead_id, email: "Wrong@Example.com", linkedin_url: linkOf("wrong") })
        yield* TestClock.adjust("1 second")
        const mailed = yield* remove(lead_id, { email: " wrong@EXAMPLE.com" })
        assert.deepStrictEqual(
          [mailed.lead_id, mailed.lead.email, mailed.lead.linkedinUrl],
          [lead_id, "right@example.com", linkOf("wrong")]
        )
        assert.deepStrictEqual(yield* lastChange(lead_id), ["lead.updated", ["email", "identities"]])
        yield* TestClock.adjust("1 second")
        const linked = yield* remove(lead_id, { linkedin_url: "linkedin.com/in/WRONG/?x=1" })
        assert.strictEqual(linked.lead.linkedin_url, linkOf("right"))
        assert.deepStrictEqual(linked.lead, (yield* ok("lead.get", { lead_id })).lead)
        assert.isUndefined((yield* remove(lead_id, { email: "right@example.com" })).lead.email)
        yield* remove(lead_id, { custom_id: "c" })
        const other = yield* lead({ email: "wrong@example.com", linkedin_url: linkOf("wrong"), custom_id: "c" })
        assert.notStrictEqual(other, lead_id)
        assert.deepStrictEqual(
          yield* foundBy(
            { email: "wrong@example.com", linkedin_url: linkOf("wrong"), custom_id: "c" },
            { linkedin_url: linkOf("right") },
            { email: "right@example.com" }
          ),
          [other, lead_id, "NOT_FOUND"]
        )
      }).pipe(inOrganization("org_removed"))
    )

    it.effect("a token takes along what only it contained, and a member id every token of that member", () =>
      Effect.gen(function* () {
        const lead_id = yield* lead({ custom_id: "t", name: "Ada", linkedin_id: profileToken, sales_nav_id: sales })
        assert.strictEqual((yield* ok("lead.get", { lead_id })).lead.linkedinUrl, linkOf(profileToken))
        const first = yield* remove(lead_id, { linkedin_id: profileToken })
        assert.strictEqual(first.lead.linkedinUrl, "")
        const each = [{ linkedin_id: profileToken }, { linkedin_id: member }, { sales_nav_id: sales }]
        assert.deepStrictEqual(
          yield* foundBy(...each),
          [lead_id, lead_id, lead_id],
          "the other token contains the member"
        )
        yield* remove(lead_id, { sales_nav_id: salesToken })
        assert.deepStrictEqual(
          yield* foundBy(...each),
          each.map(() => "NOT_FOUND")
        )
        yield* ok("lead.upsert", { lead_id, linkedin_id: profileToken, sales_nav_id: sales })
        yield* remove(lead_id, { linkedin_id: member })
        assert.deepStrictEqual(
          yield* foundBy(...each),
          each.map(() => "NOT_FOUND")
        )
        const { export: file } = yield* ok("lead.export", { lead_id })
        assert.notInclude(JSON.stringify(file.leads), salesToken, "nor does it stay as a field")
        // A member id that was given does not depend on a token.
        yield* ok("lead.upsert", { lead_id, linkedin_id: member })
        yield* ok("lead.upsert", { lead_id, sales_nav_id: sales })
        yield* remove(lead_id, { sales_nav_id: sales })
        assert.deepStrictEqual(yield* foundBy({ linkedin_id: member }), [lead_id])
      }).pipe(inOrganization("org_tokens"))
    )

    it.effect("the last one stays, and what the lead does not have is not found", () =>
      Effect.gen(function* () {
        const lead_id = yield* lead({ email: "only@example.com" })
        yield* lead({ email: "theirs@example.com" })
        const said = (input: object) => refused("lead.identifier.remove", { lead_id, ...input })
        assert.include(yield* said({ email: "only@example.com" }), "409 LAST_IDENTIFIER email: the last identifier")
        assert.include(yield* said({ email: "theirs@example.com" }), "404 NOT_FOUND email: lead")
        assert.include(yield* said({ custom_id: "only@example.com" }), "404 NOT_FOUND custom_id: lead")
        assert.include(yield* said({}), "400 IDENTIFIER_REQUIRED")
        assert.include(yield* said({ email: "" }), "400 IDENTIFIER_REQUIRED")
        assert.include(
          yield* said({ email: "only@example.com", custom_id: "x" }),
          "400 INVALID_INPUT email, custom_id:"
        )
        assert.include(yield* said({ email: "only" }), "400 INVALID_EMAIL email:")
        assert.include(yield* said({ linkedin_url: "linkedin.com/company/x" }), "400 NOT_A_PROFILE_URL linkedin_url:")
        assert.include(yield* said({ linkedin_url: "linkedin.com/pub/ada/1/2/3" }), "legacy /pub/")
        yield* organization("org_stranger")
        const stranger = { actor: owner("org_stranger") }
        const input = { lead_id, email: "only@example.com" }
        assert.strictEqual(yield* code("lead.identifier.remove", input, stranger), "NOT_FOUND")
        assert.deepStrictEqual(yield* foundBy({ email: "only@example.com" }), [lead_id])
        yield* ok("lead.upsert", { lead_id, custom_id: "more" })
        const preview = yield* ok("lead.identifier.remove", input, { options: { dryRun: true } })
        assert.isUndefined(preview.lead.email)
        assert.deepStrictEqual(yield* foundBy({ email: "only@example.com" }), [lead_id])
        yield* remove(lead_id, { email: "only@example.com" })
      }).pipe(inOrganization("org_last"))
    )

    it.effect("an upsert that clears a field removes it, again without a change", () =>
      Effect.gen(function* () {
        const all = {
          name: "Ada",
          custom_id: "u",
          email: "u@example.com",
          linkedin_url: linkOf("u-u"),
          linkedin_id: profileToken,
          sales_nav_id: sales
        }
        const kept = yield* lead(all)
        const fields = [
          ["custom_id", { custom_id: "u" }],
          ["linkedin_id", { linkedin_id: profileToken }],
          ["sales_nav_id", { sales_nav_id: sales }],
          ["email", { email: "u@example.com" }],
          ["linkedin_url", { linkedin_url: linkOf("u-u") }]
        ] as const
        for (const [index, [field, named]] of fields.entries()) {
          const empty = { lead_id: kept, [field]: index % 2 === 0 ? null : "" }
          yield* TestClock.adjust("1 second")
          if (index === fields.length - 1) {
            assert.include(yield* refused("lead.upsert", empty), "409 LAST_IDENTIFIER linkedin_url:")
            break
          }
          const first = yield* ok("lead.upsert", empty)
          const [entry] = (yield* ok("lead.timeline", { lead_id: kept, limit: 1 })).events
          yield* TestClock.adjust("1 second")
          assert.deepStrictEqual((yield* ok("lead.upsert", empty)).lead, first.lead)
          assert.deepStrictEqual((yield* ok("lead.timeline", { lead_id: kept, limit: 1 })).events[0], entry)
          // The Sales Navigator token names the same member.
          assert.deepStrictEqual(yield* foundBy(named), [field === "linkedin_id" ? kept : "NOT_FOUND"], field)
        }
        assert.deepStrictEqual(yield* foundBy({ linkedin_id: member }, { linkedin_url: linkOf("u-u") }), [
          "NOT_FOUND",
          kept
        ])
      }).pipe(inOrganization("org_cleared"))
    )

    it.effect("clearing what another field names is refused, and one call can exchange all", () =>
      Effect.gen(function* () {
        const lead_id = yield* lead({ name: "Ada", linkedin_url: linkOf(profileToken) })
        assert.include(
          yield* refused("lead.upsert", { linkedin_url: linkOf(profileToken), linkedin_id: null, company: "X" }),
          "400 INVALID_INPUT linkedin_id:"
        )
        const { lead: changed } = yield* ok("lead.upsert", { lead_id, linkedin_id: null, email: "new@example.com" })
        assert.deepStrictEqual([changed.linkedinUrl, changed.email, changed.company], ["", "new@example.com", ""])
        assert.deepStrictEqual(yield* foundBy({ linkedin_id: member }, { email: "new@example.com" }), [
          "NOT_FOUND",
          lead_id
        ])
        // A form that sends every field, with the URL in another one, keeps what it names.
        yield* ok("lead.upsert", { lead_id, linkedin_id: profileToken, linkedin_url: "" })
        assert.deepStrictEqual(yield* foundBy({ linkedin_id: profileToken }), [lead_id])
      }).pipe(inOrganization("org_named"))
    )

    it.effect("an import clears none", () =>
      Effect.gen(function* () {
        yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
        yield* ok("mission.create", { name: "spring", handle: "spring", agent_handle: "ada-martin" })
        const lead_id = yield* lead({ email: "i@example.com", custom_id: "i", linkedin_url: linkOf("i-i") })
        const leads = [
          { customId: "i", email: null, linkedinUrl: null, linkedinId: null, salesNavId: "" },
          { email: "i@example.com", customId: null, linkedinUrl: "" }
        ]
        yield* ok("POST /missions/{missionHandle}/leads", { missionHandle: "spring", leads })
        const content = "custom_id,email,linkedin_url\n,i@example.com,\ni,,"
        yield* ok("import.csv", { mission_id: "spring", content })
        const after = yield* ok("lead.get", { lead_id })
        assert.deepStrictEqual([after.lead.email, after.lead.linkedinUrl], ["i@example.com", linkOf("i-i")])
        assert.deepStrictEqual(yield* foundBy({ custom_id: "i" }, { email: "i@example.com" }), [lead_id, lead_id])
      }).pipe(inOrganization("org_imported"))
    )

    it.effect("a removed profile takes its relation along, and a lead for whom nothing waits any more is New", () =>
      Effect.gen(function* () {
        const { agent } = yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
        const near = yield* lead({ email: "near@example.com", linkedin_url: linkOf("near-near") })
        yield* ok("linkedin.conversation.sync", { lead_id: near, agent_handle: agent.handle })
        const relationOf = Effect.map(ok("lead.get", { lead_id: near }), (view) => view.prospect_context.relation)
        assert.isTrue((yield* relationOf).connected)
        yield* remove(near, { linkedin_url: linkOf("near-near") })
        assert.isNull(yield* relationOf)

        const statusAfter = Effect.fnUntraced(function* (slug: string) {
          const lead_id = yield* lead({ email: `${slug}@example.com`, linkedin_url: linkOf(slug) })
          const { draft } = yield* ok("linkedin.draft.create", { lead_id, variations: ["Hello"] })
          const sent = yield* code("linkedin.draft.approve", { draft_id: draft.draft_id, send_now: true })
          const { status } = (yield* ok("lead.get", { lead_id })).lead
          const removed = yield* code("lead.identifier.remove", { lead_id, linkedin_url: linkOf(slug) })
          const cleared = yield* code("lead.upsert", { lead_id, linkedin_url: null })
          return [sent, status, removed, cleared, (yield* ok("lead.get", { lead_id })).lead.status]
        })
        assert.deepStrictEqual(yield* statusAfter("far-2nd"), ["ok", "Waiting", "ok", "ok", "New"])
        // An open invitation went to somebody else.
        const invited = yield* lead({ email: "inv@example.com", linkedin_url: linkOf("inv-wrong-2nd") })
        const { invitation_id } = yield* ok("linkedin.invitation.send", {
          lead_id: invited,
          agent_handle: agent.handle
        })
        const stateOf = Effect.map(
          ok("linkedin.queue.list", { kind: "invitation", state: ["pending", "cancelled"] }),
          ({ items }) => {
            const entry = items.find((one: { readonly queue_id: string }) => one.queue_id === invitation_id)
            return [entry?.state, entry?.reason]
          }
        )
        assert.deepStrictEqual(yield* stateOf, ["pending", "invitation_pending"])
        yield* remove(invited, { linkedin_url: linkOf("inv-wrong-2nd") })
        assert.deepStrictEqual(yield* stateOf, ["cancelled", "identifier_removed"])
        assert.strictEqual((yield* ok("lead.get", { lead_id: invited })).lead.status, "New")
        const unknown = "SEND_OUTCOME_UNKNOWN"
        assert.deepStrictEqual(yield* statusAfter("lost-unknown"), [unknown, "New", unknown, unknown, "New"])
      }).pipe(inOrganization("org_relations"))
    )

    it.effect("a suppression of a removed one stays, for whoever has it next", () =>
      Effect.gen(function* () {
        const lead_id = yield* lead({ email: "quiet@example.com", custom_id: "q" })
        yield* ok("lead.suppress", { email: "quiet@example.com", reason: "Asked" })
        yield* remove(lead_id, { email: "quiet@example.com" })
        const { results } = yield* ok("lead.suppression.check", { identifiers: ["quiet@example.com"] })
        assert.isTrue(results[0].suppressed)
      }).pipe(inOrganization("org_quiet"))
    )
  })
)

/** The identifier that a transmission of this kind goes to. */
const targets = {
  message: { linkedin_url: linkOf("grace") },
  invitation: { linkedin_url: linkOf("grace-2nd") },
  email: { email: "grace@quiet.example" }
}

/** What becomes of it: a draft can be approved anew, an email cannot change its address. */
const fates = {
  message: "cancelled identifier_removed, PENDING_REVIEW",
  invitation: "cancelled identifier_removed",
  email: "cancelled identifier_removed"
}

const ways = {
  "the command": (lead_id: string, target: object) => ["lead.identifier.remove", { lead_id, ...target }] as const,
  "an upsert": (lead_id: string, target: object) =>
    ["lead.upsert", { lead_id, ...Object.fromEntries(Object.keys(target).map((field) => [field, null])) }] as const
}

eachBackendWith(busyGateways)("what goes to an identifier that is removed", (world) =>
  it.layer(world.pipe(Layer.provideMerge(provider)))((it) => {
    for (const kind of ["message", "invitation", "email"] as const) {
      for (const [name, way] of Object.entries(ways)) {
        it.effect(`${kind}: is taken back by ${name}, and not sent later`, () =>
          Effect.gen(function* () {
            const asking = yield* Provider
            const about = yield* prepare(kind)
            asking.asked.length = 0
            const [command, input] = way(about.lead_id, targets[kind])
            const { lead: after } = yield* about.run(command, input)
            assert.strictEqual(yield* fateOf(about), fates[kind])
            const stored = yield* about.run("lead.get", { lead_id: about.lead_id })
            assert.deepStrictEqual(after, stored["lead"], "the answer is the lead afterwards")
            yield* TestClock.adjust("2 hours")
            yield* round(about.organizationId)
            assert.deepStrictEqual(asking.asked, [])
          })
        )
      }

      it.effect(`${kind}: stays while it is being sent`, () =>
        Effect.gen(function* () {
          const asking = yield* Provider
          const about = yield* prepare(kind)
          asking.asked.length = 0
          const services = yield* Effect.context<Dispatch>()
          const extra = { actor: owner(about.organizationId) }
          const said: Array<string> = []
          asking.meanwhile = Effect.provideContext(
            Effect.forEach(Object.values(ways), (way) => {
              const [command, input] = way(about.lead_id, targets[kind])
              return Effect.map(code(command, input, extra), (one) => said.push(one))
            }),
            services
          )
          yield* round(about.organizationId)
          asking.meanwhile = Effect.void
          assert.deepStrictEqual([asking.asked.length, ...said], [1, "DRAFT_IN_FLIGHT", "DRAFT_IN_FLIGHT"])
          yield* about.run("lead.identifier.remove", { lead_id: about.lead_id, ...targets[kind] })
          assert.strictEqual(yield* fateOf(about), fates[kind])
        })
      )
    }

    it.effect("removing another identifier changes nothing of it", () =>
      Effect.gen(function* () {
        for (const kind of ["message", "email"] as const) {
          const about = yield* prepare(kind)
          const { lead_id } = about
          yield* about.run("lead.upsert", { lead_id, custom_id: "other", email: "second@quiet.example" })
          yield* about.run("lead.identifier.remove", { lead_id, custom_id: "other" })
          yield* about.run("lead.identifier.remove", { lead_id, email: "second@quiet.example" })
          assert.strictEqual(yield* fateOf(about), kind === "email" ? "queued" : "queued, READY_TO_SEND")
        }
      })
    )
  })
)
