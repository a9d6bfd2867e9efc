/** What an organization requires of texts before they are approved, on every store. */

import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { type ActorKind, noPolicies } from "#core/kernel/command/Permission.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { agents, lead } from "../core/linkedin/linkedInWorld.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { organization } from "../support/organization.ts"
import { actor, code, counted, ok, refused, statementsOf } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

const sentence = "Written by an AI assistant."

const as = (kind: ActorKind, mode: "full" | "draft_only" = "full") =>
  Effect.map(CurrentOrganization, (id) => ({
    actor: actor(id, { kind, mode, policies: noPolicies, keyId: "somekey23456" })
  }))

const draft = (lead_id: string, text: string, more: object = {}, kind: ActorKind = "USER") =>
  Effect.gen(function* () {
    const input = { lead_id, variations: [text], replace_open: true, ...more }
    const { draft: made } = yield* ok("linkedin.draft.create", input, yield* as(kind))
    return String(made.draft_id)
  })

const found = (draft_id: string) =>
  Effect.map(ok("linkedin.draft.check", { draft_id }), ({ findings }) =>
    findings.map(({ code: rule, severity }: Record<string, string>) => `${severity} ${rule}`)
  )

eachBackend("rules for texts", (layer) =>
  it.layer(layer)((it) => {
    it.effect("are those of the whole organization, and of no other", () =>
      Effect.gen(function* () {
        const set = {
          disclosure: sentence,
          disclosure_for: "ai_agents",
          evidence: "figures",
          email_authentication: "required"
        }
        assert.deepStrictEqual((yield* ok("policy.set", set)).texts, set)
        assert.deepStrictEqual((yield* ok("policy.set", { mutate: "allow" })).texts, set)
        assert.deepStrictEqual((yield* ok("policy.get", {})).texts, set)
        const nothing = { disclosure: null, disclosure_for: "all", evidence: null, email_authentication: null }
        yield* organization("org_rules_b")
        const other = { actor: actor("org_rules_b", { policies: noPolicies }) }
        assert.deepStrictEqual((yield* ok("policy.get", {}, other)).texts, nothing)
        yield* ok("agent.create", { first_name: "Bob", last_name: "Berg" }, other)
        const { lead_id } = yield* ok("lead.upsert", { email: "eve@example.com", name: "Eve" }, other)
        const made = yield* ok("linkedin.draft.create", { lead_id, variations: ["Hello, 80%"] }, other)
        yield* ok("linkedin.draft.approve", { draft_id: made.draft.draft_id }, other)
        const off = { disclosure: null, disclosure_for: null, evidence: null, email_authentication: null }
        assert.deepStrictEqual((yield* ok("policy.set", off)).texts, nothing)
        const bad: ReadonlyArray<readonly [object, RegExp]> = [
          [{ key_id: "somekey23456", disclosure: sentence }, /^400 INVALID_INPUT .*without key_id/],
          [{ disclosure: " " }, /^400 INVALID_INPUT disclosure/],
          [{ disclosure: "x".repeat(301) }, /^400 INVALID_INPUT disclosure/],
          [{ evidence: "all" }, /^400 INVALID_INPUT evidence/]
        ]
        for (const [input, expected] of bad) assert.match(String(yield* refused("policy.set", input)), expected)
        for (const who of [yield* as("AI_AGENT"), yield* as("USER", "draft_only")]) {
          assert.strictEqual(yield* code("policy.set", off, who), "APPROVAL_POLICY")
        }
      }).pipe(inOrganization("org_rules"))
    )

    it.effect("refuse every approval of a text without the disclosure, and accept a text that has it", () =>
      Effect.gen(function* () {
        yield* agents()
        yield* ok("policy.set", { disclosure: sentence })
        const lead_id = yield* lead("grace")
        const draft_id = yield* draft(lead_id, "Hello Grace")
        assert.deepStrictEqual(yield* found(draft_id), ["error disclosure_missing"])
        assert.match(
          String(yield* refused("linkedin.draft.approve", { draft_id })),
          /^409 DISCLOSURE_REQUIRED The organization requires that the text says "Written by an AI assistant\."\. Add it/
        )
        assert.strictEqual(yield* code("linkedin.draft.approve", { draft_id, send_now: true }), "DISCLOSURE_REQUIRED")
        const many = yield* ok("linkedin.draft.approve-many", { items: [{ draft_id }] })
        assert.deepInclude(many.results[0], { ok: false, draft: null })
        assert.strictEqual(many.results[0].error.code, "DISCLOSURE_REQUIRED")
        assert.strictEqual((yield* ok("linkedin.draft.get", { draft_id })).draft.status, "PENDING_REVIEW")
        const listed = yield* ok("review.list", { finding: "error" })
        assert.deepStrictEqual(
          listed.items.map(({ item_id }: { item_id: string }) => item_id),
          [draft_id]
        )
        assert.deepStrictEqual((yield* ok("linkedin.draft.check", { body_text: "Hello" })).findings.length, 1)
        yield* ok("linkedin.draft.approve", { draft_id, body_text: `Hello Grace\n\nwritten  by an\nAI assistant.` })
        assert.deepStrictEqual(yield* found(draft_id), [])
        const invite = { lead_id, note: "Hello" }
        assert.strictEqual(yield* code("linkedin.invitation.send", invite), "DISCLOSURE_REQUIRED")
        yield* ok("policy.set", { disclosure_for: "ai_agents" })
        assert.strictEqual(yield* code("linkedin.invitation.send", invite), "ok")
        const own = yield* draft(lead_id, "Hello")
        assert.deepStrictEqual(yield* found(own), [])
        yield* ok("linkedin.draft.update", { draft_id: own, variations: ["Hi"] }, yield* as("AI_AGENT"))
        assert.strictEqual(yield* code("linkedin.draft.approve", { draft_id: own }), "DISCLOSURE_REQUIRED")
        const modelled = yield* draft(lead_id, "Hello again", { model: "writer-4" })
        assert.strictEqual(yield* code("linkedin.draft.approve", { draft_id: modelled }), "DISCLOSURE_REQUIRED")
      }).pipe(inOrganization("org_disclosure"))
    )

    it.effect("refuse the note of an invitation that a message takes along", () =>
      Effect.gen(function* () {
        yield* agents()
        yield* ok("policy.set", { disclosure: sentence })
        const draft_id = yield* draft(yield* lead("noor-2nd"), sentence)
        const send = { draft_id, send_now: true, send_invitation: true }
        assert.match(
          String(yield* refused("linkedin.draft.approve", { ...send, invitation_note: "Hi Noor" })),
          /^409 DISCLOSURE_REQUIRED invitation_note: The organization requires/
        )
        yield* ok("linkedin.draft.approve", { ...send, invitation_note: sentence })
      }).pipe(inOrganization("org_note"))
    )

    it.effect("refuse every approval of a text without the evidence, and name what lacks it", () =>
      Effect.gen(function* () {
        yield* agents()
        const lead_id = yield* lead("alan")
        yield* ok("lead.upsert", { lead_id, company: "Initech", job_title: "Lead of 40 people" })
        const text = "Hello alan, 40 people at Initech could save 12 hours."
        const team = { claim: "40 people", references: ["lead.jobTitle"] }
        yield* ok("policy.set", { evidence: "any" })
        const draft_id = yield* draft(lead_id, text)
        assert.include(yield* found(draft_id), "error evidence_missing")
        assert.match(
          String(yield* refused("linkedin.draft.approve", { draft_id })),
          /^409 EVIDENCE_REQUIRED The organization requires evidence, and this text has none\. Send evidence/
        )
        yield* ok("linkedin.draft.update", { draft_id, evidence: [team] })
        yield* ok("linkedin.draft.approve", { draft_id })
        yield* ok("policy.set", { evidence: "figures" })
        yield* ok("linkedin.draft.reopen", { draft_id })
        assert.match(
          String(yield* refused("linkedin.draft.approve", { draft_id })),
          /^409 EVIDENCE_REQUIRED The organization requires evidence for "12"\./
        )
        const unknown = { claim: "save 12 hours", references: ["notes.note_none"] }
        yield* ok("linkedin.draft.update", { draft_id, evidence: [team, unknown] })
        assert.match(
          String(yield* refused("linkedin.draft.approve", { draft_id })),
          /^409 EVIDENCE_REQUIRED evidence\[1\]: notes\.note_none is not known/
        )
        const { note_id } = yield* ok("lead.note.add", { lead_id, text: "Their plan: 12 hours less a week" })
        yield* ok("linkedin.draft.update", {
          draft_id,
          evidence: [team, { ...unknown, references: [`notes.${note_id}`] }]
        })
        assert.strictEqual(
          yield* code("linkedin.draft.approve", { draft_id, body_text: `${text} Or 99 hours.` }),
          "EVIDENCE_REQUIRED"
        )
        yield* ok("linkedin.draft.approve", { draft_id })
      }).pipe(inOrganization("org_required"))
    )

    it.effect("let no agent answer a person alone without a disclosure, on any channel", () =>
      Effect.gen(function* () {
        yield* agents()
        const agent = yield* as("AI_AGENT")
        const lead_id = yield* lead("ada")
        const first = yield* draft(lead_id, "Hello", {}, "AI_AGENT")
        yield* ok("linkedin.draft.approve", { draft_id: first }, agent)
        const inbound = { lead_id, channel: "LINKEDIN", direction: "inbound", content: "Tell me more" }
        yield* ok("lead.message.record", inbound)
        const draft_id = yield* draft(lead_id, "More: …", {}, "AI_AGENT")
        const alone = String(yield* refused("linkedin.draft.approve", { draft_id }, agent))
        assert.match(alone, /^409 DISCLOSURE_REQUIRED The lead has written, and no person approved this answer\./)
        const invite = { lead_id, note: "Hello" }
        assert.strictEqual(yield* code("linkedin.invitation.send", invite, agent), "DISCLOSURE_REQUIRED")
        // What waits for a person's decision is no answer yet.
        const asking = { actor: { ...agent.actor, policies: { key: { agents: "ask" as const }, organization: {} } } }
        assert.strictEqual(yield* code("linkedin.draft.approve", { draft_id }, asking), "ok")
        yield* ok("policy.set", { disclosure: sentence, disclosure_for: "ai_agents" })
        assert.strictEqual(yield* code("linkedin.draft.approve", { draft_id }, agent), "DISCLOSURE_REQUIRED")
        const told = `More: … ${sentence}`
        yield* ok("linkedin.draft.approve", { draft_id, body_text: told }, agent)
        yield* ok("policy.set", { disclosure: null })
        const again = yield* draft(lead_id, told)
        yield* ok("linkedin.draft.approve", { draft_id: again })
      }).pipe(inOrganization("org_alone"))
    )

    it.effect("refuse the approval of an e-mail without the disclosure, in its HTML too, and an agent's alone", () =>
      Effect.gen(function* () {
        const email_accounts = [{ provider: "SMTP", email: "ada@rules.example" }]
        yield* ok("agent.create", { first_name: "Ada", last_name: "Martin", email_accounts })
        yield* ok("mission.create", { name: "Spring", handle: "spring", agent_handle: "ada-martin" })
        yield* ok("PATCH /missions/{missionHandle}", { missionHandle: "spring", emailReviewStrategy: "MANUAL" })
        const { lead_id } = yield* ok("lead.upsert", { email: "grace@example.com", name: "Grace" })
        const written = (body_text: string, body_html?: string) =>
          Effect.map(
            ok("email.send", {
              lead_id,
              mission_id: "spring",
              subject: "Hi",
              body_text,
              ...(body_html === undefined ? {} : { body_html })
            }),
            ({ email }) => ({ review_id: email.email_id, content_hash: email.content_hash })
          )
        const decided = (review: object, decision: string, more: object = {}) =>
          Effect.flatMap(as("AI_AGENT"), (agent) =>
            Effect.all([
              code("email.review.decide", { ...review, decision, ...more }, { ...agent, options: { dryRun: true } }),
              code("email.review.decide", { ...review, decision, ...more })
            ])
          )
        assert.deepStrictEqual(yield* decided(yield* written("Hello"), "approve"), ["ok", "ok"])
        yield* ok("lead.message.record", { lead_id, channel: "EMAIL", direction: "inbound", content: "More?" })
        assert.deepStrictEqual(yield* decided(yield* written("Hello"), "approve"), ["DISCLOSURE_REQUIRED", "ok"])
        yield* ok("policy.set", { disclosure: sentence })
        const refusedBoth = ["DISCLOSURE_REQUIRED", "DISCLOSURE_REQUIRED"]
        const plain = yield* written("Hello")
        assert.deepStrictEqual(yield* decided(plain, "approve"), refusedBoth)
        assert.deepStrictEqual(yield* decided(plain, "edit", { subject: "Ho" }), refusedBoth)
        assert.deepStrictEqual(yield* decided(plain, "reject"), ["ok", "ok"])
        const told = `Hello. ${sentence}`
        const hidden = `<style>${sentence}</style><p title="${sentence}">Hello</p><!-- ${sentence} -->`
        assert.deepStrictEqual(yield* decided(yield* written(told, hidden), "approve"), refusedBoth)
        const shown = "<p>Hello. <b>Written</b> by&nbsp;an AI\nassistant.</p>"
        assert.deepStrictEqual(yield* decided(yield* written(told, shown), "approve"), ["ok", "ok"])
        assert.deepStrictEqual(yield* decided(yield* written("Hello"), "edit", { body_text: told }), ["ok", "ok"])
        const { items } = yield* ok("review.list", { tab: "approved", kind: ["email"] })
        const { provenance } = yield* ok("review.get", { item_id: items.at(-1).item_id })
        assert.deepStrictEqual(
          provenance.map(({ action }: { action: string }) => action),
          ["created", "approved_with_edits"]
        )
        const { export: file } = yield* ok("lead.export", { lead_id })
        assert.deepStrictEqual(file.emails.at(-1).provenance, provenance)
      }).pipe(inOrganization("org_mail"))
    )

    it.effect("cost a claim no statement", () =>
      Effect.gen(function* () {
        yield* agents()
        const organizationId = yield* CurrentOrganization
        const claiming = (slug: string) =>
          Effect.gen(function* () {
            const draft_id = yield* draft(yield* lead(slug), `Hello ${sentence}`)
            yield* ok("linkedin.draft.approve", { draft_id })
            yield* TestClock.adjust("1 hour")
            const statements = yield* statementsOf(dispatchDue({ organizationId }))
            assert.strictEqual((yield* ok("linkedin.draft.get", { draft_id })).draft.status, "DISPATCHED")
            return statements
          })
        yield* claiming("first")
        const plain = yield* claiming("plain")
        // A whole round: from taking to recording, settling, and a second turn that finds nothing more.
        assert.isAtMost(plain ?? 0, 41)
        yield* ok("policy.set", { disclosure: sentence })
        assert.strictEqual(yield* claiming("disclosed"), plain)
      }).pipe(inOrganization("org_claim"))
    )

    it.effect("cost an approval no statement, but for evidence one", () =>
      Effect.gen(function* () {
        yield* agents()
        const text = `Hello ${sentence}`
        const approving = (slug: string) =>
          Effect.gen(function* () {
            const evidence = [{ claim: "Hello", references: ["lead.name"] }]
            const draft_id = yield* draft(yield* lead(slug), text, { evidence })
            return (yield* counted("linkedin.draft.approve", { draft_id })).statements
          })
        // The first approval stores the account.
        yield* approving("first")
        const plain = yield* approving("plain")
        yield* ok("policy.set", { disclosure: sentence })
        assert.strictEqual(yield* approving("disclosed"), plain)
        yield* ok("policy.set", { evidence: "any" })
        assert.isAtMost(yield* approving("evidenced"), plain + 1)
      }).pipe(inOrganization("org_cost"))
    )
  })
)
