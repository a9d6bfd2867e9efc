/** Taking back what an import created: what goes, what stays and why. */

import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Upload } from "#core/imports/csv/CsvRows.ts"
import { undoChunk } from "#core/imports/undo/undoImport.ts"
import { Dispatch } from "#core/kernel/command/Dispatch.ts"
import { noPolicies } from "#core/kernel/command/Permission.ts"
import { inOrganization } from "../support/inOrganization.ts"
import { owner } from "../support/memory.ts"
import { organization } from "../support/organization.ts"
import { actor, ask, ok, refused, warned } from "../support/World.ts"
import { eachOutreach } from "./outreachWorld.ts"

const mission = "undone"
const csv = (emails: ReadonlyArray<string>) => `Email,Name\n${emails.map((email) => `${email},Some Body\n`).join("")}`
const addMission = Effect.gen(function* () {
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin", handle: "ada" })
  yield* ok("mission.create", { name: "Undone", agent_handle: "ada" })
})
const importOf = (emails: ReadonlyArray<string>, into = mission) =>
  ok("import.csv", { mission_id: into, content: csv(emails), name: emails[0] ?? "Nobody" })
const leadOf = (email: string) => Effect.map(ok("lead.get", { email }), ({ lead }) => String(lead.id))
eachOutreach("undoing imports", (layer) =>
  it.layer(layer, { timeout: "120 seconds" })((it) => {
    it.effect("removes what nobody touched, and keeps the rest with a reason for each", () =>
      Effect.gen(function* () {
        yield* addMission
        yield* ok("mission.create", { name: "Elsewhere" })
        yield* ok("lead.upsert", { email: "known@example.com", name: "Known Before", mission_id: mission })
        const names = [
          "gone",
          "gone2",
          "noted",
          "drafted",
          "written",
          "moved",
          "held",
          "edited",
          "status",
          "both",
          "won",
          "lost"
        ]
        const emails = names.map((name) => `${name}@example.com`)
        const file = yield* importOf([...emails, "known@example.com", "gone@example.com", "no mail"])
        assert.deepStrictEqual([file.created_count, file.skipped_count, file.invalid_count], [12, 2, 1])
        const ids = new Map<string, string>()
        for (const name of names) ids.set(name, yield* leadOf(`${name}@example.com`))
        const id = (name: string) => ids.get(name) ?? ""
        yield* ok("lead.note.add", { lead_id: id("noted"), text: "Called." })
        yield* ok("linkedin.draft.create", {
          lead_id: id("drafted"),
          agent_handle: "ada",
          mission_id: mission,
          variations: [{ body_text: "Hello" }]
        })
        yield* ok("lead.message.record", {
          lead_id: id("written"),
          channel: "EMAIL",
          direction: "outbound",
          content: "Hello"
        })
        yield* ok("lead.mission.add", { mission_id: "elsewhere", lead_ids: [id("moved")] })
        yield* ok("lead.suppress", { lead_id: id("held"), reason: "Asked" })
        yield* ok("lead.upsert", { lead_id: id("edited"), company: "By hand" })
        yield* ok("lead.status.set", { lead_id: id("status"), status: "Interested" })
        yield* importOf(["both@example.com"], "elsewhere").pipe(
          Effect.andThen(ok("lead.mission.remove", { mission_id: "elsewhere", lead_ids: [id("both")] }))
        )
        yield* ok("lead.merge", { winner_lead_id: id("won"), loser_lead_ids: [id("lost")] })

        const rehearsed = yield* ask(
          "import.undo",
          { import_id: file.import_id },
          {
            options: { responseProfile: "full", dryRun: true, idempotencyKey: undefined }
          }
        )
        const undone = yield* ok("import.undo", { import_id: file.import_id })
        assert.isTrue(rehearsed.envelope.ok)
        if (rehearsed.envelope.ok) {
          assert.deepStrictEqual(Object(rehearsed.envelope.data).kept_because, undone.kept_because)
        }
        const because = Object.fromEntries(
          undone.kept_because.map((one: { reason: string; lead_ids: ReadonlyArray<string> }) => [
            one.reason,
            one.lead_ids
          ])
        )
        assert.deepStrictEqual(because, {
          NOTED: [id("noted")],
          DRAFTED: [id("drafted")],
          CONTACTED: [id("written")],
          IN_OTHER_MISSION: [id("moved")],
          SUPPRESSED: [id("held")],
          CHANGED: [id("edited"), id("status")],
          IN_OTHER_IMPORT: [id("both")],
          MERGED: [id("won"), id("lost")]
        })
        assert.deepStrictEqual([undone.removed, undone.kept, undone.import.state], [2, 10, "undone"])
        assert.include(yield* refused("lead.get", { lead_id: id("gone") }), "404 NOT_FOUND")
        assert.include(yield* refused("lead.get", { email: "gone2@example.com" }), "404 NOT_FOUND")
        assert.strictEqual((yield* ok("lead.get", { email: "known@example.com" })).lead.name, "Known Before")
        const listed = yield* ok("import.leads.list", { import_id: file.import_id, limit: 100 })
        const rows = listed.rows.map((row: { outcome: string; reason: string; lead_id: string | null }) => [
          row.outcome,
          row.reason,
          row.lead_id === null
        ])
        assert.deepStrictEqual(rows[0], ["created", "UNDONE", true])
        assert.deepStrictEqual(rows[2], ["created", null, false])
        assert.deepStrictEqual(rows[13], ["skipped", "UNCHANGED", true])
        const { created_count, updated_count, skipped_count, invalid_count } = undone.import
        assert.deepStrictEqual([created_count, updated_count, skipped_count, invalid_count], [12, 0, 2, 1])
        assert.deepStrictEqual(yield* warned("import.undo", { import_id: file.import_id }), [
          "The import was already undone; nothing was changed."
        ])
        assert.strictEqual((yield* ok("import.undo", { import_id: file.import_id })).removed, 0)
      }).pipe(inOrganization("org_undo"))
    )

    it.effect("keeps whom an e-mail, an invitation or a request is about, in whatever state it is", () =>
      Effect.gen(function* () {
        yield* ok("agent.create", {
          first_name: "Ada",
          last_name: "Martin",
          handle: "ada",
          email_accounts: [{ provider: "SMTP", email: "ada@sender.example" }]
        })
        yield* ok("mission.create", { name: "Undone", agent_handle: "ada" })
        for (const [handle, emailReviewStrategy] of [
          ["auto", "AUTO"],
          ["manual", "MANUAL"]
        ]) {
          yield* ok("POST /missions", { name: handle, handle, agentHandle: "ada", emailReviewStrategy })
        }
        const names = ["review", "rejected", "queued", "cancelled", "invited", "asked", "gone"]
        const urls = names.map((name) => `${name}@example.com,linkedin.com/in/undo-${name}`)
        const file = yield* ok("import.csv", { mission_id: mission, content: `Email,LinkedIn\n${urls.join("\n")}\n` })
        const ids = new Map<string, string>()
        for (const name of names) ids.set(name, yield* leadOf(`${name}@example.com`))
        const id = (name: string) => ids.get(name) ?? ""
        const send = (name: string, mission_id: string) =>
          Effect.map(
            ok("email.send", { lead_id: id(name), mission_id, subject: "Hello", body_text: "Hello" }),
            ({ email }) => email
          )
        yield* send("review", "manual")
        const { content_hash, review_id } = yield* send("rejected", "manual")
        yield* ok("email.review.decide", { review_id, content_hash, decision: "reject" })
        yield* send("queued", "auto")
        const { email_id } = yield* send("cancelled", "auto")
        yield* ok("email.cancel", { email_id })
        yield* ok("linkedin.invitation.send", { lead_id: id("invited"), agent_handle: "ada" })
        const asking = { kind: "AI_AGENT", policies: { ...noPolicies, key: { mutate: "ask" } } } as const
        const { envelope } = yield* ask(
          "lead.note.add",
          { lead_id: id("asked"), text: "Called." },
          { actor: actor("org_undo_mail", asking) }
        )
        assert.isTrue(envelope.meta.approval_required)

        const undone = yield* ok("import.undo", { import_id: file.import_id })

        const because = Object.fromEntries(
          undone.kept_because.map((one: { reason: string; lead_ids: ReadonlyArray<string> }) => [
            one.reason,
            one.lead_ids
          ])
        )
        assert.deepStrictEqual(because, {
          DRAFTED: [id("review")],
          CONTACTED: ["rejected", "queued", "cancelled", "invited"].map(id),
          AWAITING_APPROVAL: [id("asked")]
        })
        assert.strictEqual(undone.removed, 1)
        const { emails } = yield* ok("email.list", {})
        assert.sameMembers(
          emails.map(({ lead }: { lead: { id: string } }) => lead.id),
          ["review", "rejected", "queued", "cancelled"].map(id)
        )
      }).pipe(inOrganization("org_undo_mail"))
    )

    it.effect("keeps whom a person changed while the import ran, and removes whom only the import changed", () =>
      Effect.gen(function* () {
        yield* addMission
        const row = (name: string, company = "") => `${name}@example.com,${company}\n`
        const padding = "x".repeat(80)
        const filler = Array.from({ length: 1_500 }, (_, n) => row(`filler${n}`, padding))
        yield* ok("mission.create", { name: "Elsewhere", handle: "elsewhere" })
        /** What a person may do with a lead while the import runs, and why the lead then stays. */
        const uses: ReadonlyArray<readonly [reason: string, command: string, input: object]> = [
          ["CHANGED", "lead.status.set", { status: "Interested" }],
          ["CHANGED", "lead.upsert", { job_title: "Head" }],
          ["CHANGED", "lead.upsert", { is_flagged: true }],
          ["NOTED", "lead.note.add", { text: "Called." }],
          ["CONTACTED", "lead.message.record", { channel: "EMAIL", direction: "inbound", content: "Hello" }],
          ["DRAFTED", "linkedin.draft.create", { agent_handle: "user", variations: ["Hello"] }],
          ["SUPPRESSED", "lead.suppress", { reason: "Asked", until: "2100-01-01T00:00:00Z" }]
        ]
        yield* ok("agent.create", { first_name: "Ada", last_name: "Martin", handle: "user" })
        const used = uses.map((_, n) => row(`used${n}`)).join("")
        const first = `Email,Company\n${used}${row("set")}${row("twice")}${row("off")}${filler.join("")}`
        const bytes = (text: string) => new TextEncoder().encode(text)
        // Comes once the first rows are leads, of whom a person sets some.
        const meanwhile = Effect.gen(function* () {
          const seen = ask("lead.get", { email: "off@example.com" })
          yield* Effect.repeat(seen, { until: ({ envelope }) => envelope.ok })
          for (const [n, [, command, input]] of uses.entries()) {
            yield* ok(command, { lead_id: yield* leadOf(`used${n}@example.com`), ...input })
          }
          yield* ok("lead.status.set", { lead_id: yield* leadOf("set@example.com"), status: "Interested" })
          yield* ok("lead.status.set", { lead_id: yield* leadOf("off@example.com"), status: "Interested" })
          yield* ok("lead.status.set", { lead_id: yield* leadOf("off@example.com"), status: "New" })
          return bytes(row("twice", "Second") + row("last"))
        })
        const late = Effect.provideService(Effect.orDie(meanwhile), Dispatch, yield* Dispatch)
        const content = Stream.concat(Stream.succeed(bytes(first)), Stream.fromEffect(late))
        const upload = { content, size: undefined, digest: undefined }
        const file = yield* ok("import.csv", {
          mission_id: mission,
          content: "uploaded"
        }).pipe(Effect.provideService(Upload, upload))
        assert.strictEqual((yield* ok("lead.get", { email: "twice@example.com" })).lead.company, "Second")
        const kept = [yield* leadOf("set@example.com"), yield* leadOf("off@example.com")]

        const undone = yield* ok("import.undo", { import_id: file.import_id })

        const stays = new Map<string, ReadonlyArray<string>>()
        for (const [n, [reason]] of uses.entries()) {
          stays.set(reason, [...(stays.get(reason) ?? []), yield* leadOf(`used${n}@example.com`)])
        }
        stays.set("CHANGED", [...(stays.get("CHANGED") ?? []), ...kept])
        assert.sameDeepMembers(
          undone.kept_because,
          [...stays].map(([reason, lead_ids]) => ({ reason, count: lead_ids.length, lead_ids }))
        )
        assert.strictEqual(undone.removed, filler.length + 2)
      }).pipe(inOrganization("org_undo_while"))
    )

    it.effect("lets the same people be imported again, as new leads", () =>
      Effect.gen(function* () {
        yield* addMission
        const emails = ["again1@example.com", "again2@example.com"]
        const first = yield* importOf(emails)
        const before = yield* leadOf("again1@example.com")
        assert.strictEqual((yield* ok("import.undo", { import_id: first.import_id })).removed, 2)
        const second = yield* importOf(emails)
        assert.deepStrictEqual([second.created_count, second.already_exists], [2, false])
        assert.notStrictEqual(second.import_id, first.import_id)
        assert.notStrictEqual(yield* leadOf("again1@example.com"), before)
        assert.include(yield* refused("import.resume", { import_id: first.import_id }), "409 WRONG_STATE")
      }).pipe(inOrganization("org_again"))
    )

    it.effect(
      "takes more back than one transaction holds, and changes nothing when rehearsed",
      () =>
        Effect.gen(function* () {
          yield* addMission
          const count = undoChunk + 300
          const emails = Array.from({ length: count }, (_, n) => `many${n}@example.com`)
          const file = yield* importOf(emails)
          yield* ok("lead.note.add", { lead_id: yield* leadOf("many2100@example.com"), text: "Kept." })
          const { envelope } = yield* ask(
            "import.undo",
            { import_id: file.import_id },
            { options: { responseProfile: "full", dryRun: true, idempotencyKey: undefined } }
          )
          assert.strictEqual(envelope.ok && Object(envelope.data).removed, count - 1)
          assert.strictEqual((yield* ok("import.get", { import_id: file.import_id })).import.state, "completed")
          const undone = yield* ok("import.undo", { import_id: file.import_id })
          assert.deepStrictEqual([undone.removed, undone.kept], [count - 1, 1])
        }).pipe(inOrganization("org_many")),
      600_000
    )

    it.effect("is done once when several ask for it at the same time", () =>
      Effect.gen(function* () {
        yield* addMission
        for (let round = 0; round < 10; round++) {
          const emails = Array.from({ length: 20 }, (_, n) => `at-once-${round}-${n}@example.com`)
          const { import_id } = yield* importOf(emails)
          const undo = ok("import.undo", { import_id })
          const undone = yield* Effect.all([undo, undo, undo], { concurrency: 3 })
          assert.strictEqual(
            undone.reduce((sum, { removed }) => sum + removed, 0),
            emails.length
          )
          assert.deepStrictEqual(
            undone.map(({ import: run }) => run.state),
            ["undone", "undone", "undone"]
          )
        }
      }).pipe(inOrganization("org_at_once"))
    )

    it.effect("is nobody else's business", () =>
      Effect.gen(function* () {
        yield* organization("org_nobody_b")
        yield* addMission
        const file = yield* importOf(["mine@example.com"])
        for (const command of ["import.undo", "import.resume"]) {
          const theirs = yield* refused(command, { import_id: file.import_id }, { actor: owner("org_nobody_b") })
          assert.include(theirs, "404 NOT_FOUND")
        }
        assert.strictEqual((yield* ok("import.undo", { import_id: file.import_id })).removed, 1)
      }).pipe(inOrganization("org_nobody"))
    )
  })
)
