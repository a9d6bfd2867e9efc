/** An erased person is gone from every column of every table, and does not come back. */

import { createHmac } from "node:crypto"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { ImportsRepo } from "#core/imports/ImportsRepo.ts"
import { Journal } from "#core/kernel/journal/Journal.ts"
import { PrivacyRepo } from "#core/leads/privacy/PrivacyRepo.ts"
import { DraftsRepo } from "#core/outreach/DraftsRepo.ts"
import { dispatchDue } from "#core/outreach/OutreachWorker.ts"
import { TransmissionsRepo } from "#core/outreach/TransmissionsRepo.ts"
import * as JournalMemory from "#memory/JournalMemory.ts"
import { MemoryStore } from "#memory/MemoryStore.ts"
import { deliveries } from "#memory/webhooks/WebhooksMemory.ts"
import { CurrentOrganization, inOrganization } from "../support/inOrganization.ts"
import { owner } from "../support/memory.ts"
import { organization } from "../support/organization.ts"
import { ask, code, counted, lead, ok } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

const token = "ACoAAAcDMMQBODyLwZrRcgYhrkCafURGqva0U4E"
const memberId = "117649604"

const digits = "447700900123"

/** Texts that only this person's records hold; every one of them is stored somewhere before the erasure. */
const traces = [
  "quillfeather",
  "zephyrine",
  "zq-custom-9",
  token.toLowerCase(),
  memberId,
  "+44 7700 900123",
  digits,
  "plumwright",
  "secret note",
  "inbound words",
  "outbound words",
  "drafted words",
  "approved words",
  "status words",
  "merged words",
  "invitation words"
]

/** Places that hold a text, whatever the case: tables of the database with every column, or tables in memory. */
const placesOf = (text: string) =>
  Effect.gen(function* () {
    const needle = text.toLowerCase()
    const sql = yield* Effect.serviceOption(SqlClient)
    if (Option.isNone(sql)) {
      const store = yield* Effect.serviceOption(MemoryStore)
      if (Option.isNone(store)) return assert.fail("there is neither a database nor memory")
      const state = yield* store.value.published
      return Array.from(HashMap.entries(state)).flatMap(([name, rows]) =>
        Array.from(HashMap.entries(rows)).some((entry) => JSON.stringify(entry).toLowerCase().includes(needle))
          ? [name]
          : []
      )
    }
    const tables = yield* sql.value<{ readonly name: string }>`
      select c.relname::text as name from pg_class c where c.relkind = 'r'
        and c.relnamespace = (select relnamespace from pg_class where oid = to_regclass('svc.leads')) order by 1`
    assert.isAbove(tables.length, 20)
    const found: Array<string> = []
    for (const { name } of tables) {
      const rows =
        yield* sql.value`select 1 from ${sql.value.literal(`svc.${name}`)} t where strpos(lower(t::text), ${needle}) > 0 limit 1`
      if (rows.length > 0) found.push(name)
    }
    return found
  }).pipe(Effect.orDie)

/** A person about whom everything is held that can be; answers the id, and that of a lead to be merged into it. */
const person = Effect.gen(function* () {
  const organizationId = yield* CurrentOrganization
  yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
  yield* ok("mission.create", { name: "Spring", handle: "spring", agent_handle: "ada-martin" })
  const keyed = { options: { idempotencyKey: "key-of-quillfeather" } }
  const lead_id = yield* lead(
    {
      email: "Zephyrine@quillfeather.example",
      linkedin_url: "https://www.linkedin.com/in/zephyrine-quillfeather",
      linkedin_id: token,
      custom_id: "ZQ-custom-9",
      name: "Zephyrine Quillfeather",
      company: "Plumwright",
      phone: "+44 7700 900123",
      description: "All about Quillfeather",
      recent_posts: [{ content: "Quillfeather posts", date: "2026" }],
      mission_handle: "spring"
    },
    keyed
  )
  const merged = yield* lead({ email: "z.quillfeather@other.example", name: "Merged words" })
  yield* ok("lead.note.add", { lead_id: merged, text: "Secret note on her" })
  yield* ok("lead.merge", { winner_lead_id: lead_id, loser_lead_ids: [merged] })
  yield* ok(
    "lead.message.record",
    { lead_id, channel: "EMAIL", direction: "inbound", content: "Inbound words" },
    {
      options: { idempotencyKey: "key-2" }
    }
  )
  yield* ok("lead.message.record", { lead_id, channel: "EMAIL", direction: "outbound", content: "Outbound words" })
  yield* ok("lead.status.set", { lead_id, status: "Interested", reason: "Status words" })
  yield* ok("POST /missions/{missionHandle}/leads", {
    missionHandle: "spring",
    leads: [{ email: "zephyrine@quillfeather.example", location: "Oslo" }, { email: "bystander@example.com" }]
  })
  const invited = yield* ok("linkedin.invitation.send", { lead_id, note: "Invitation words" })
  assert.strictEqual(invited.result, "already_connected")
  const { draft } = yield* ok("linkedin.draft.create", {
    lead_id,
    mission_id: "spring",
    variations: ["Drafted words", "Approved words"]
  })
  yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id, variation_index: 1 })
  yield* TestClock.adjust("1 minute")
  assert.strictEqual(yield* dispatchDue({ organizationId }), 1)
  yield* ok("linkedin.draft.create", { lead_id, variations: ["Drafted words once more"] })
  yield* ok("lead.suppress", { lead_id, reason: "Quillfeather asked", until: "2100-01-01T00:00:00Z" })
  yield* (yield* Journal).requestApproval({
    id: "apr_1",
    organizationId,
    commandId: "lead.upsert",
    commandHash: "h",
    input: { email: "ZEPHYRINE@quillfeather.example", name: "Z" },
    precondition: null,
    requestedBy: { kind: "AI_AGENT", userId: "usr_1", keyId: null },
    createdAt: "2026-11-21T08:00:00.000Z",
    expiresAt: "2126-11-21T08:00:00.000Z",
    mailTo: []
  })
  return { lead_id, merged }
})

/** The person, erased. */
const erasedPerson = Effect.gen(function* () {
  const { lead_id, merged } = yield* person
  const erased = yield* ok("lead.erase", { lead_id, confirm: lead_id })
  assert.deepStrictEqual([erased.erased, erased.tombstones], [[lead_id, merged], 6])
})

/** Puts the events into deliveries of a webhook, as they are sent. */
const deliver = Effect.gen(function* () {
  const organizationId = yield* CurrentOrganization
  const sql = yield* Effect.serviceOption(SqlClient)
  const store = yield* Effect.serviceOption(MemoryStore)
  if (Option.isSome(store)) {
    yield* store.value.write(organizationId, (tables) => {
      for (const event of tables.all(JournalMemory.events)) {
        if (event.type !== "lead.status_changed") continue
        tables.set(deliveries, `whd_${event.id}`, {
          organization_id: organizationId,
          delivery_id: `whd_${event.id}`,
          webhook_id: "whk_1",
          event_id: event.id,
          event_type: event.type,
          payload: { id: event.id, data: event.data },
          subject: "",
          sequence: null,
          state: "failed",
          attempts: 1,
          tries: [],
          next_attempt_at: null,
          response_status: null,
          last_error: "Status words",
          redelivery_of: null,
          created_at: event.createdAt,
          delivered_at: null,
          fence: 0,
          leaseUntil: null,
          endedAt: null
        })
      }
    })
  }
  if (Option.isNone(sql)) return
  yield* sql.value`
    insert into svc.webhooks (organization_id, id, url, description, event_types, is_active, secrets, created_at, updated_at)
    values (${organizationId}, 'whk_1', 'https://hooks.example.com', '', '{}', true, '[]', now(), now())`
  yield* sql.value`
    insert into svc.webhook_deliveries (organization_id, id, webhook_id, event_id, event_type, payload, state, last_error,
      created_at)
    select organization_id, 'whd_' || id, 'whk_1', id, type, jsonb_build_object('id', id, 'data', data), 'failed',
      'Status words', now()
    from svc.events where organization_id = ${organizationId} and type = 'lead.status_changed'`
}).pipe(Effect.orDie)

eachBackend("erasure", (layer) => {
  // No other test works in this database: all of it is looked through.
  it.layer(layer)((it) => {
    it.effect("removes every trace of a person, and only of that person", () =>
      Effect.gen(function* () {
        yield* organization("org_erased_b")
        const other = yield* lead(
          { email: "other@example.com", name: "Other Person" },
          { options: { idempotencyKey: "k" } }
        )
        const { lead_id, merged } = yield* person
        yield* deliver
        const hasSql = Option.isSome(yield* Effect.serviceOption(SqlClient))
        // The digits of a phone number are stored by themselves only where an index needs them.
        for (const text of traces.filter((one) => hasSql || one !== digits)) {
          assert.isAbove((yield* placesOf(text)).length, 0, `${text} is nowhere to begin with`)
        }

        const exported = yield* counted("lead.export", { lead_id: merged })
        assert.isAtMost(exported.statements, 1)
        const text = JSON.stringify(exported.data.export).toLowerCase()
        for (const trace of traces.filter((one) => one !== digits)) assert.include(text, trace)
        const { leads, lead_id: live, exported_at: _, ...records } = exported.data.export
        assert.deepStrictEqual([live, leads.map(({ id }: { id: string }) => id)], [lead_id, [lead_id, merged]])
        const sizes = Object.fromEntries(Object.entries(records).map(([name, rows]) => [name, Object(rows).length]))
        assert.deepStrictEqual(sizes, {
          identifiers: 6,
          missions: 1,
          messages: 3,
          notes: 1,
          drafts: 2,
          queue: 1,
          invitations: 1,
          emails: 0,
          transmissions: 2,
          relations: 1,
          imports: 1,
          suppressions: 7,
          events: sizes.events,
          requests: 1,
          responses: 2
        })
        assert.isAbove(sizes.events, 10)

        assert.strictEqual(yield* code("lead.erase", { lead_id, confirm: merged }), "INVALID_INPUT")
        const named = { lead_id, confirm: lead_id, reason: "Zephyrine wrote" }
        assert.strictEqual(yield* code("lead.erase", named), "INVALID_INPUT", "a reason that names the person")
        assert.strictEqual(
          yield* code("lead.erase", { ...named, reason: "" }, { actor: owner("org_erased_b") }),
          "NOT_FOUND"
        )
        const limited = { ...owner("org_erased"), scopes: ["leads:write", "leads:merge"] as const }
        assert.strictEqual(yield* code("lead.erase", { ...named, reason: "" }, { actor: limited }), "FORBIDDEN_SCOPE")
        const dry = yield* ask("lead.erase", { ...named, reason: "" }, { options: { dryRun: true } })
        assert.isTrue(dry.envelope.ok)
        assert.strictEqual(yield* code("lead.get", { lead_id }), "ok")

        const erased = yield* ok(
          "lead.erase",
          { lead_id, confirm: lead_id, reason: "Requested by letter" },
          { options: { idempotencyKey: "erase-1" } }
        )
        assert.deepStrictEqual([erased.erased, erased.tombstones], [[lead_id, merged], 6])
        for (const text of traces) assert.deepStrictEqual(yield* placesOf(text), [], `${text} is still held`)
        for (const id of [lead_id, merged]) assert.strictEqual(yield* code("lead.get", { lead_id: id }), "NOT_FOUND")
        for (const command of ["lead.export", "lead.timeline"]) {
          assert.strictEqual(yield* code(command, { lead_id }), "NOT_FOUND")
        }
        assert.strictEqual(yield* code("lead.erase", { lead_id, confirm: lead_id }), "NOT_FOUND")
        // What was told of the person keeps its ids: the pseudonym is what audit and events lead to.
        assert.includeMembers([...(yield* placesOf(lead_id))], yield* placesOf("lead.erased"))
        assert.strictEqual((yield* ok("lead.get", { lead_id: other })).lead.name, "Other Person")
        const replayed = yield* ask(
          "lead.upsert",
          { email: "other@example.com", name: "Other Person" },
          {
            options: { idempotencyKey: "k" }
          }
        )
        assert.isTrue(replayed.envelope.ok)
      }).pipe(inOrganization("org_erased"))
    )
  })

  it.layer(layer)((it) => {
    it.effect("keeps the person from coming back, by any identifier, one by one and in imports", () =>
      Effect.gen(function* () {
        const organizationId = yield* CurrentOrganization
        yield* organization("org_return_b")
        yield* erasedPerson
        const identifiers = [
          { email: "zephyrine@quillfeather.example" },
          { email: "z.quillfeather@other.example" },
          { linkedin_url: "linkedin.com/in/Zephyrine-Quillfeather" },
          { linkedin_id: token },
          { linkedin_id: `urn:li:member:${memberId}` },
          { custom_id: "ZQ-custom-9" }
        ]
        for (const identifier of identifiers) {
          const input = { ...identifier, name: "Somebody" }
          assert.strictEqual(yield* code("lead.upsert", input), "LEAD_SUPPRESSED", JSON.stringify(identifier))
          assert.strictEqual(yield* code("lead.upsert", input, { actor: owner("org_return_b") }), "ok")
        }
        const before = (yield* ok("lead.search", {})).count
        const { import_id } = yield* ok("POST /missions/{missionHandle}/leads", {
          missionHandle: "spring",
          leads: [
            ...identifiers.map((identifier) => ({ ...identifier, name: "Again" })),
            { email: "fresh@example.com" }
          ]
        })
        const found = yield* (yield* ImportsRepo).find(organizationId, import_id, 10)
        assert.deepStrictEqual(found?.run.counts, { created: 1, updated: 0, skipped: 6, invalid: 0 })
        assert.deepStrictEqual([...new Set(found?.refused.map(({ reason }) => reason))], ["LEAD_SUPPRESSED"])
        assert.strictEqual((yield* ok("lead.search", {})).count, before + 1)
        const asked = [
          "zephyrine@quillfeather.example",
          token,
          "linkedin.com/in/zephyrine-quillfeather",
          "fresh@example.com"
        ]
        const { results } = yield* ok("lead.suppression.check", { identifiers: asked })
        assert.deepStrictEqual(
          results.map(({ reason, suppressed }: Record<string, unknown>) => [suppressed, reason]),
          [
            [true, "The person was erased."],
            [true, "The person was erased."],
            [true, "The person was erased."],
            [false, null]
          ]
        )
        assert.strictEqual((yield* ok("resource.suppressions", {})).tombstones, 6)
      }).pipe(inOrganization("org_return"))
    )

    it.effect("leaves hashes that nobody can tell the identifiers from without the secret", () =>
      Effect.gen(function* () {
        const sql = yield* Effect.serviceOption(SqlClient)
        if (Option.isNone(sql)) return
        const { lead_id } = yield* person
        const { statements } = yield* counted("lead.erase", { lead_id, confirm: lead_id })
        assert.isAtMost(statements, 4)
        const organizationId = yield* CurrentOrganization
        const [secret] = yield* sql.value<{
          secret: string
        }>`select secret from svc.deployment_secrets where name = 'tombstone'`
        const stones = yield* sql.value<{ hash: string }>`select hash from svc.tombstones
          where organization_id = ${organizationId}`
        const hash = createHmac("sha256", secret?.secret ?? "")
          .update(`${organizationId}\nemail:zephyrine@quillfeather.example`, "utf8")
          .digest("base64url")
        assert.include(
          stones.map((stone) => stone.hash),
          hash
        )
      }).pipe(inOrganization("org_hashes"), Effect.orDie)
    )

    it.effect("lets the person come back who agrees", () =>
      Effect.gen(function* () {
        yield* erasedPerson
        const { suppression } = yield* ok("lead.suppression.lift", {
          email: "zephyrine@quillfeather.example",
          reason: "Asked for an offer"
        })
        assert.strictEqual(suppression.reason, "The person was erased.")
        assert.strictEqual((yield* ok("resource.suppressions", {})).tombstones, 0)
        assert.strictEqual(yield* code("lead.upsert", { custom_id: "ZQ-custom-9", name: "Somebody" }), "ok")
      }).pipe(inOrganization("org_agrees"))
    )

    it.effect("is final for those who write the person at the same moment", () =>
      Effect.gen(function* () {
        const email = "racing@quick.example"
        for (let round = 0; round < 5; round++) {
          const lead_id = yield* lead({ email, name: "Racing" })
          const writes = Array.from({ length: 8 }, (_, n) =>
            code("lead.upsert", { email, name: "Racing", company: `C${n}` })
          )
          const answers = yield* Effect.all([...writes, code("lead.erase", { lead_id, confirm: lead_id }), ...writes], {
            concurrency: "unbounded"
          })
          assert.deepStrictEqual(
            answers.filter((answer) => answer !== "ok" && answer !== "LEAD_SUPPRESSED"),
            []
          )
          assert.strictEqual(yield* code("lead.get", { email }), "NOT_FOUND")
          assert.deepStrictEqual(yield* placesOf("quick.example"), [])
          yield* ok("lead.suppression.lift", { email, reason: "Next round" })
        }
      }).pipe(inOrganization("org_racing"))
    )

    it.effect("waits for a message that is being transmitted", () =>
      Effect.gen(function* () {
        const organizationId = yield* CurrentOrganization
        yield* ok("agent.create", { first_name: "Ada", last_name: "Martin" })
        const lead_id = yield* lead({ linkedin_url: "linkedin.com/in/in-flight", name: "In Flight" })
        const { draft } = yield* ok("linkedin.draft.create", { lead_id, variations: ["Hello"] })
        const approved = yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id, send_now: true })
        assert.strictEqual(approved.dispatch_result.status, "sent")
        const queue = yield* TransmissionsRepo
        const view = yield* (yield* DraftsRepo).find(organizationId, draft.draft_id)
        const item = view?.item
        if (item == null) return assert.fail("the draft has no queue item")
        yield* queue.save(organizationId, [{ ...item, state: "sending" }])
        assert.strictEqual(yield* code("lead.erase", { lead_id, confirm: lead_id }), "DRAFT_IN_FLIGHT")
        assert.strictEqual((yield* (yield* PrivacyRepo).readFile(organizationId, lead_id))?.leads.length, 1)
        yield* queue.save(organizationId, [{ ...item, state: "sent" }])
        assert.strictEqual(yield* code("lead.erase", { lead_id, confirm: lead_id }), "ok")
      }).pipe(inOrganization("org_flight"))
    )
  })
})
