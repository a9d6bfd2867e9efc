/** Drafting, sending and dispatching through commands, on every backend; and what reading costs on a database. */

import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import { Dispatch } from "#core/kernel/command/Dispatch.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { LinkedInGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import { TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"
import { SimulatorLedger } from "#memory/simulator/SimulatedGateway.ts"
import { tokenOf } from "../core/leads/identity/arbitraries.ts"
import { type Approved, agents, draftFor, lead, read, sent } from "../core/linkedin/linkedInWorld.ts"
import { CurrentOrganization, currentOwner, inOrganization } from "../support/inOrganization.ts"
import { StatementCounter } from "../support/StatementCounter.ts"
import { ask, ok, refused, verdict } from "../support/World.ts"
import { eachBackendWith } from "./backends.ts"

/** The simulated gateway with a delay in real time, which fails the test when one person gets two messages at once. */
const carefulGateway = Layer.effect(
  LinkedInGateway,
  Effect.map(LinkedInGateway, (simulated) => {
    const flying = new Set<string>()
    const alone = <A>(leadId: string, write: Effect.Effect<A>) =>
      Effect.acquireUseRelease(
        Effect.sync(() => {
          if (flying.has(leadId)) throw new Error(`two messages to ${leadId} at once`)
          flying.add(leadId)
        }),
        () =>
          Effect.andThen(
            Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 5))),
            write
          ),
        () => Effect.sync(() => flying.delete(leadId))
      )
    return LinkedInGateway.of({
      ...simulated,
      sendToChat: (account, delivery) => alone(delivery.recipient.leadId, simulated.sendToChat(account, delivery))
    })
  })
)

const statements = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const counter = yield* Effect.serviceOption(StatementCounter)
    if (Option.isNone(counter)) return yield* Effect.as(effect, undefined)
    const [, count] = yield* counter.value.of(effect)
    return count.statements
  })

/** The messages that left for a lead. */
const messagesTo = (leadId: string) =>
  Effect.flatMap(SimulatorLedger, (ledger) =>
    Effect.map(ledger.accepted, (accepted) =>
      accepted.filter((one) => one.leadId === leadId && one.kind === "message").map(({ text }) => text)
    )
  )

eachBackendWith({ gateway: carefulGateway })("sending", (layer) =>
  it.layer(layer)((it) => {
    it.effect("says of somebody whom LinkedIn cannot know that they are unreachable, and sends nothing", () =>
      Effect.gen(function* () {
        yield* agents()
        const strangers = [
          { email: "stranger@example.com" },
          { custom_id: "crm-7" },
          { linkedin_url: "https://www.linkedin.com/in/not.a~slug" },
          { linkedin_id: "urn:li:fsd_profile:abcdefghijklmnopqrst" }
        ]
        const known = [
          { linkedin_id: "urn:li:member:7" },
          { linkedin_id: tokenOf(0x2a, 8) },
          { sales_nav_id: tokenOf(0x2c, 9) },
          { email: "j@example.com", linkedin_url: "https://www.linkedin.com/in/jürgen-😀" }
        ]
        const draftTo = Effect.fnUntraced(function* (person: object) {
          const { lead_id } = yield* ok("lead.upsert", { name: "Somebody", ...person })
          const { draft } = yield* ok("linkedin.draft.create", { lead_id, variations: ["Hello"] })
          return { lead_id: String(lead_id), draft_id: String(draft.draft_id) }
        })
        for (const person of strangers) {
          const { draft_id, lead_id } = yield* draftTo(person)
          const said = yield* refused("linkedin.draft.approve", { draft_id, send_now: true })
          assert.include(said, "502 GATEWAY_REJECTED")
          assert.include(said, "unreachable")
          const invited = yield* refused("linkedin.invitation.send", { lead_id, agent_handle: "ada-martin" })
          assert.include(invited, "unreachable")
          yield* ok("linkedin.draft.approve", { draft_id })
          yield* TestClock.adjust("1 minute")
          yield* dispatchDue({ organizationId: yield* CurrentOrganization })
          const { items } = yield* ok("linkedin.queue.list", { kind: "message", state: ["failed"] })
          const entry = items.find((one: { readonly lead_id: string }) => one.lead_id === lead_id)
          assert.strictEqual(entry?.reason, "unreachable")
          assert.strictEqual((yield* ok("linkedin.draft.get", { draft_id })).draft.status, "PENDING_REVIEW")
          assert.deepStrictEqual(yield* messagesTo(lead_id), [])
        }
        for (const person of known) {
          const { draft_id, lead_id } = yield* draftTo(person)
          yield* ok("linkedin.draft.approve", { draft_id, send_now: true })
          assert.deepStrictEqual(yield* messagesTo(lead_id), ["Hello"])
        }
      }).pipe(inOrganization("org_strangers"))
    )

    it.effect("drafts, approves, sends, waits and dispatches", () =>
      Effect.gen(function* () {
        yield* agents(2)
        yield* ok("mission.create", { name: "Spring", agent_handle: "ada-martin" })
        const draft = yield* draftFor("grace", { mission_id: "spring", variations: ["One", "Two"] })
        const first = yield* sent(draft, { variation_index: 1 }, { options: { idempotencyKey: "k" } })
        assert.strictEqual(first.draft.status, "DISPATCHED")
        const replay = yield* ask(
          "linkedin.draft.approve",
          { draft_id: draft.draft_id, send_now: true, variation_index: 1 },
          { options: { idempotencyKey: "k" } }
        )
        assert.isTrue(replay.replayed)
        assert.deepStrictEqual(replay.envelope.ok ? replay.envelope.data : undefined, first)
        assert.deepStrictEqual(yield* read(draft), first.draft)
        assert.deepStrictEqual(yield* messagesTo(draft.lead.lead_id), ["Two"])

        const blocked = yield* draftFor("joan-blocked", { agent_handle: "ada-martin" })
        const refused = verdict("linkedin.draft.approve", { draft_id: blocked.draft_id, send_now: true })
        assert.strictEqual(yield* refused, "502 GATEWAY_REJECTED")
        assert.deepStrictEqual(yield* read(blocked), blocked)

        const unknown = yield* draftFor("kay-unknown", { agent_handle: "ada-martin" })
        const lost = verdict("linkedin.draft.approve", { draft_id: unknown.draft_id, send_now: true })
        assert.strictEqual(yield* lost, "409 SEND_OUTCOME_UNKNOWN")
        assert.strictEqual(yield* lost, "409 SEND_OUTCOME_UNKNOWN")

        const far = yield* draftFor("hedy-2nd", { agent_handle: "ada-martin" })
        const waiting = yield* sent(far, { send_invitation: true })
        assert.strictEqual(waiting.dispatch_result?.status, "waiting_relation")
        const plain = yield* draftFor("ida", { agent_handle: "ada-martin" })
        yield* ok("linkedin.draft.approve", { draft_id: plain.draft_id })
        const down = yield* draftFor("ivy-down", { agent_handle: "ada-martin" })
        assert.strictEqual((yield* sent(down)).dispatch_result?.status, "queued")

        yield* TestClock.adjust("40 seconds")
        assert.strictEqual(yield* dispatchDue(), 2)
        assert.strictEqual((yield* read(far)).status, "DISPATCHED")
        assert.strictEqual((yield* read(plain)).status, "DISPATCHED")
        const queue = yield* TransmissionsRepo
        const organizationId = yield* CurrentOrganization
        const [item] = yield* queue.ofLead(organizationId, down.lead.lead_id)
        assert.deepInclude(item, { kind: "message", state: "queued", failures: 2 })
        assert.lengthOf(yield* queue.attemptsOf(organizationId, String(item?.id)), 2)

        yield* ok("lead.upsert", { lead_id: down.lead.lead_id, status: "DoNotContact" })
        assert.strictEqual((yield* read(down)).status, "CANCELLED")
        yield* TestClock.adjust("1 hour")
        assert.strictEqual(yield* dispatchDue(), 0)
        assert.deepStrictEqual(yield* messagesTo(unknown.lead.lead_id), ["Hello kay-unknown"])
      }).pipe(inOrganization("org_drafts"))
    )

    it.effect("leaves nothing behind after a dry run", () =>
      Effect.gen(function* () {
        yield* agents()
        const draft = yield* draftFor("dry", { agent_handle: "ada-martin" })
        const { draft: after } = yield* sent(draft, {}, { options: { dryRun: true } })
        assert.strictEqual(after.status, "DISPATCHED")
        assert.deepStrictEqual(yield* read(draft), draft)
        const { ofLead } = yield* TransmissionsRepo
        assert.deepStrictEqual(yield* ofLead(yield* CurrentOrganization, draft.lead.lead_id), [])
        assert.deepStrictEqual(yield* messagesTo(draft.lead.lead_id), [])
      }).pipe(inOrganization("org_dry"))
    )

    it.effect("has one winner among 32 sends of one draft and five dispatchers", () =>
      Effect.gen(function* () {
        yield* agents()
        const draft = yield* draftFor("crowd", { agent_handle: "ada-martin" })
        yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id })
        yield* TestClock.adjust("20 seconds")
        const dispatch = yield* Dispatch
        const input = { draft_id: draft.draft_id, send_now: true }
        const call = { command: "linkedin.draft.approve", input, actor: yield* currentOwner }
        const sends = Array.from({ length: 32 }, () =>
          Effect.map(dispatch.run(call), ({ envelope }) => (envelope.ok ? "ok" : envelope.error.code))
        )
        const rounds = Array.from({ length: 5 }, () => Effect.as(dispatchDue(), "round"))
        const said = yield* Effect.all([...sends, ...rounds], { concurrency: "unbounded" })
        const unexpected = said.filter((word) => !["ok", "round", "DRAFT_IN_FLIGHT", "DRAFT_FINAL"].includes(word))
        assert.deepStrictEqual(unexpected, [])
        assert.deepStrictEqual(yield* messagesTo(draft.lead.lead_id), ["Hello crowd"])
        assert.strictEqual((yield* read(draft)).status, "DISPATCHED")
      }).pipe(inOrganization("org_crowd"))
    )

    it.effect("never has two messages to one person on their way", () =>
      Effect.gen(function* () {
        yield* agents(2)
        const lead_id = yield* lead("popular")
        const drafts = yield* Effect.forEach(["ada-martin", "bob-berg"], (agent_handle) =>
          Effect.map(
            ok<{ draft: Approved["draft"] }>("linkedin.draft.create", {
              lead_id,
              agent_handle,
              variations: [agent_handle]
            }),
            ({ draft }) => draft
          )
        )
        const results = yield* Effect.forEach(drafts, (draft) => sent(draft), { concurrency: "unbounded" })
        const words = results.map(({ dispatch_result }) => dispatch_result?.status)
        assert.isTrue(words.every((word) => word === "sent" || word === "queued"))
        yield* TestClock.adjust("5 seconds")
        yield* dispatchDue()
        assert.sameMembers([...(yield* messagesTo(lead_id))], ["ada-martin", "bob-berg"])
      }).pipe(inOrganization("org_popular"))
    )

    it.effect("survives opting out and sending at the same time without a deadlock", () =>
      Effect.gen(function* () {
        yield* agents()
        for (let round = 0; round < 8; round++) {
          const draft = yield* draftFor(`opting-${round}`, { agent_handle: "ada-martin" })
          const [said] = yield* Effect.all(
            [
              verdict("linkedin.draft.approve", { draft_id: draft.draft_id, send_now: true }),
              ok("lead.upsert", { lead_id: draft.lead.lead_id, status: "DoNotContact" })
            ],
            { concurrency: "unbounded" }
          )
          const { status } = yield* read(draft)
          const left = yield* messagesTo(draft.lead.lead_id)
          assert.isTrue(["ok", "409 LEAD_SUPPRESSED", "409 DRAFT_FINAL"].includes(said), said)
          assert.strictEqual(left.length, said === "ok" ? 1 : 0)
          assert.strictEqual(status, said === "ok" ? "DISPATCHED" : "CANCELLED")
        }
      }).pipe(inOrganization("org_opting"))
    )

    it.effect("reads with one statement", () =>
      Effect.gen(function* () {
        yield* agents()
        const draft = yield* draftFor("reader", { agent_handle: "ada-martin" })
        for (const [command, input] of [
          ["linkedin.draft.get", { draft_id: draft.draft_id }],
          ["linkedin.draft.list", { status: ["PENDING_REVIEW"] }],
          ["linkedin.account.list", {}]
        ] as const) {
          assert.oneOf(yield* statements(ok(command, input)), [undefined, 1], command)
        }
      }).pipe(inOrganization("org_reader"))
    )

    it.effect("moves drafts when leads turn out to be one person", () =>
      Effect.gen(function* () {
        yield* agents()
        const draft = yield* draftFor("one-self", { agent_handle: "ada-martin" })
        const { lead_id } = yield* ok<{ lead_id: string }>("lead.upsert", { email: "self@example.com", name: "Self" })
        const other = yield* ok<{ draft: Approved["draft"] }>("linkedin.draft.create", {
          lead_id,
          agent_handle: "ada-martin",
          variations: ["Other"]
        })
        const merged = yield* ok<{ lead_id: string }>("lead.upsert", {
          email: "self@example.com",
          linkedin_url: "https://www.linkedin.com/in/one-self",
          on_conflict: "merge"
        })
        const [mine, theirs] = [yield* read(draft), yield* read(other.draft)]
        assert.deepStrictEqual([mine.lead.lead_id, theirs.lead.lead_id], [merged.lead_id, merged.lead_id])
        assert.sameMembers([mine.status, theirs.status], ["PENDING_REVIEW", "CANCELLED"])
      }).pipe(inOrganization("org_self"))
    )
  })
)
