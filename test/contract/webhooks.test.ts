import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { scopeBundles } from "#core/kernel/command/Permission.ts"
import { WebhooksRepo } from "#core/webhooks/WebhooksRepo.ts"
import { isPrivateUrl, isPublicAddress, WebhookTargets } from "#core/webhooks/WebhookTarget.ts"
import { actor, ask, code, keyed, ok, statementsOf } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

const url = "https://hooks.example.com/svc?x=1"

describe("addresses of webhooks", () => {
  it("are private when they name a private network in whatever notation", () => {
    const bad = [
      "http://127.0.0.1/",
      "http://2130706433/",
      "http://0x7f.1/",
      "http://127.1:8080/x",
      "http://10.1.2.3/",
      "http://172.16.0.1/",
      "http://192.168.1.1/",
      "http://169.254.169.254/latest/meta-data",
      "http://0.0.0.0/",
      "http://100.64.0.1/",
      "http://[::1]/",
      "http://[::]/",
      "http://[::ffff:127.0.0.1]/",
      "http://[::ffff:7f00:1]/",
      "http://[64:ff9b::10.0.0.1]/",
      "http://[fd00::1]/",
      "http://[fe80::1]/",
      "http://localhost/",
      "http://LOCALHOST./",
      "http://a.localhost/",
      "http://db.internal/",
      "http://printer.local/"
    ]
    for (const one of bad) assert.isTrue(isPrivateUrl(one), one)
    const good = ["https://example.com/", "http://8.8.8.8/", "http://172.32.0.1/", "https://[2606:4700::1111]/", url]
    for (const one of good) assert.isFalse(isPrivateUrl(one), one)
    assert.isFalse(isPublicAddress("not an address"))
  })
})

/** Everything the journal kept, as text, where it can be asked. */
const journalText = Effect.gen(function* () {
  const sql = yield* Effect.serviceOption(SqlClient)
  if (Option.isNone(sql)) return ""
  const rows = yield* sql.value`
    select row_to_json(k)::text as row from svc.idempotency_keys k union all select row_to_json(a)::text from svc.audit_entries a
    union all select row_to_json(e)::text from svc.events e union all select row_to_json(d)::text from svc.webhook_deliveries d`
  return JSON.stringify(rows)
})

eachBackend("webhooks", (layer) =>
  it.layer(layer)((it) => {
    it.effect("are made, read, changed and deleted", () =>
      Effect.gen(function* () {
        const owner = { actor: actor("org_1") }
        const input = { url, event_types: ["lead.created", "lead.replied"], description: "CRM" }
        const { secret, webhook } = yield* ok("webhook.create", input, owner)
        assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
        assert.deepInclude(webhook, { ...input, organization_id: "org_1", is_active: true, disabled_reason: null })
        const webhook_id: string = webhook.webhook_id
        assert.match(webhook_id, /^whk_/)
        assert.deepStrictEqual((yield* ok("webhook.get", { webhook_id }, owner)).webhook, webhook)
        yield* TestClock.adjust("1 second")
        const same = yield* ok("webhook.update", { webhook_id, url, event_types: input.event_types }, owner)
        assert.deepStrictEqual(same.webhook, webhook)
        const changed = yield* ok("webhook.update", { webhook_id, event_types: [], is_active: false }, owner)
        assert.deepInclude(changed.webhook, { event_types: [], is_active: false, url, description: "CRM" })
        assert.isAbove(Date.parse(changed.webhook.updated_at), Date.parse(webhook.updated_at))
        assert.deepStrictEqual((yield* ok("webhook.get", { webhook_id }, owner)).webhook, changed.webhook)
        const second = yield* ok("webhook.create", { url }, owner)
        const page = yield* ok("webhook.list", { limit: 1 }, owner)
        assert.deepStrictEqual(page.webhooks, [second.webhook])
        const rest = yield* ok("webhook.list", { limit: 1, cursor: page.next_cursor }, owner)
        assert.deepStrictEqual([rest.webhooks, rest.next_cursor], [[changed.webhook], null])
        assert.include([undefined, 1], yield* statementsOf(ok("webhook.list", {}, owner)))
        assert.deepStrictEqual(yield* ok("webhook.delete", { webhook_id }, owner), { webhook_id })
        assert.strictEqual(yield* code("webhook.delete", { webhook_id }, owner), "NOT_FOUND")
      })
    )

    it.effect("refuse addresses that they must not reach, and types that do not exist", () =>
      Effect.gen(function* () {
        const owner = { actor: actor("org_2") }
        const create = (input: object) => code("webhook.create", input, owner)
        for (const bad of ["http://127.0.0.1/x", "ftp://example.com", "example.com", "https://u:p@example.com", ""]) {
          assert.strictEqual(yield* create({ url: bad }), "INVALID_INPUT", bad)
        }
        assert.strictEqual(yield* create({ url, event_types: ["lead.exploded"] }), "INVALID_INPUT")
        assert.strictEqual(yield* create({ url, event_types: ["lead.created", "lead.created"] }), "INVALID_INPUT")
        assert.strictEqual(yield* create({}), "INVALID_INPUT")
        const reader = actor("org_2", { scopes: scopeBundles.read_only })
        assert.strictEqual(yield* code("webhook.list", {}, { actor: reader }), "FORBIDDEN_SCOPE")
        const { webhook } = yield* ok("webhook.create", { url }, owner)
        const moved = { webhook_id: webhook.webhook_id, url: "http://10.0.0.1/" }
        assert.strictEqual(yield* code("webhook.update", moved, owner), "INVALID_INPUT")
        const kinds: ReadonlyArray<readonly [string, RegExp]> = [
          ["http://hooks.example.com/x", /^url: must start with https:\/\//],
          ["https://hooks.example.com:8080/x", /^url: has port 8080; only 443 and 8443 are allowed/],
          ["https://hooks.example.com:80/x", /^url: has port 80;/],
          ["https://hooks.example.com/x#part", /^url: has a fragment/],
          ["https://10.0.0.1/x", /^url: is in a private network/]
        ]
        for (const [bad, reason] of kinds) {
          for (const [command, input] of [
            ["webhook.create", { url: bad }],
            ["webhook.update", { webhook_id: webhook.webhook_id, url: bad }]
          ] as const) {
            const { envelope } = yield* ask(command, input, owner)
            if (envelope.ok) return assert.fail(`${command} took ${bad}`)
            assert.strictEqual(envelope.error.code, "INVALID_INPUT", bad)
            assert.match(envelope.error.message, reason, bad)
          }
        }
        for (const good of [
          "https://hooks.example.com:443/x",
          "https://hooks.example.com:8443/x",
          "https://8.8.8.8/"
        ]) {
          assert.strictEqual((yield* ok("webhook.create", { url: good }, owner)).webhook.url, good)
        }
        const allowing =
          (rule: { readonly allowPrivate: boolean; readonly allowLoopback: boolean }) => (address: string) =>
            Effect.map(
              Effect.provideService(ask("webhook.create", { url: address }, owner), WebhookTargets, rule),
              ({ envelope }) => envelope.ok
            )
        const here = allowing({ allowPrivate: false, allowLoopback: true })
        assert.isTrue(yield* here("http://localhost:4711/x"))
        for (const bad of ["http://hooks.example.com/x", "http://10.0.0.1/x", "http://localhost/#x"]) {
          assert.isFalse(yield* here(bad), bad)
        }
        const anywhere = allowing({ allowPrivate: true, allowLoopback: false })
        for (const good of ["http://10.0.0.1:9000/x", "http://hooks.example.com/x"])
          assert.isTrue(yield* anywhere(good))
      })
    )

    it.effect("show their secret once, and sign with two while a rotation overlaps", () =>
      Effect.gen(function* () {
        const owner = { actor: actor("org_3") }
        const first = yield* ask("webhook.create", { url }, { ...owner, ...keyed("w") })
        const again = yield* ask("webhook.create", { url }, { ...owner, ...keyed("w") })
        if (!first.envelope.ok || !again.envelope.ok) return assert.fail("refused")
        const { secret, webhook } = Object(first.envelope.data)
        assert.deepStrictEqual(again.envelope.data, { webhook, secret: null })
        const { webhook_id } = webhook
        const rotation = yield* ok("webhook.rotate-secret", { webhook_id, overlap_seconds: 60 }, owner)
        assert.notStrictEqual(rotation.secret, secret)
        const stored = () => Effect.flatMap(WebhooksRepo, (repo) => repo.secrets("org_3", webhook_id))
        assert.deepStrictEqual(
          (yield* stored()).map((one) => [one.secret, one.validUntil === null]),
          [
            [secret, false],
            [rotation.secret, true]
          ]
        )
        const last = yield* ok("webhook.rotate-secret", { webhook_id, overlap_seconds: 0 }, owner)
        assert.deepStrictEqual(yield* stored(), [{ secret: last.secret, validUntil: null }])
        const kept = yield* journalText
        const shown = JSON.stringify(yield* ok("webhook.get", { webhook_id }, owner))
        for (const one of [secret, rotation.secret, last.secret]) {
          assert.notInclude(kept, one)
          assert.notInclude(shown, one)
        }
      })
    )

    it.effect("keep deliveries of tests, and repeat them with the same event", () =>
      Effect.gen(function* () {
        const owner = { actor: actor("org_4") }
        const { webhook_id } = (yield* ok("webhook.create", { url }, owner)).webhook
        const { delivery } = yield* ok("webhook.test", { webhook_id }, owner)
        assert.deepInclude(delivery, { webhook_id, event_type: "webhook.test", state: "pending", attempts: 0 })
        yield* TestClock.adjust("1 second")
        const repeated = yield* ok("webhook.redeliver", { delivery_id: delivery.delivery_id }, owner)
        assert.deepInclude(repeated.delivery, { event_id: delivery.event_id, redelivery_of: delivery.delivery_id })
        const stored = yield* Effect.flatMap(WebhooksRepo, (repo) =>
          repo.findDelivery("org_4", repeated.delivery.delivery_id)
        )
        assert.deepInclude(stored?.payload, { id: delivery.event_id, type: "webhook.test", organization_id: "org_4" })
        const page = yield* ok("webhook.deliveries", { webhook_id, limit: 1 }, owner)
        assert.deepStrictEqual(page.deliveries, [repeated.delivery])
        const rest = yield* ok("webhook.deliveries", { webhook_id, limit: 1, cursor: page.next_cursor }, owner)
        assert.deepStrictEqual([rest.deliveries, rest.next_cursor], [[delivery], null])
        assert.lengthOf((yield* ok("webhook.deliveries", { webhook_id, state: "failed" }, owner)).deliveries, 0)
        assert.include([undefined, 1], yield* statementsOf(ok("webhook.deliveries", { webhook_id }, owner)))
        const other = { actor: actor("org_5") }
        const foreign = { delivery_id: delivery.delivery_id }
        assert.strictEqual(yield* code("webhook.redeliver", foreign, other), "NOT_FOUND")
        for (const command of ["get", "test", "deliveries", "rotate-secret", "delete", "update"]) {
          assert.strictEqual(yield* code(`webhook.${command}`, { webhook_id }, other), "NOT_FOUND", command)
        }
        assert.lengthOf((yield* ok("webhook.list", {}, other)).webhooks, 0)
        const wrong = { webhook_id: "whk_other", delivery_id: delivery.delivery_id }
        assert.strictEqual(yield* code("webhook.redeliver", wrong, owner), "NOT_FOUND")
        yield* ok("webhook.delete", { webhook_id }, owner)
        assert.strictEqual(yield* code("webhook.redeliver", foreign, owner), "NOT_FOUND")
      })
    )
  })
)
