/** Settings that a host program gives by name. */
import { assert, describe, it, vi } from "@effect/vitest"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { createSvc } from "#embed/createSvc.ts"
import { embedded, readHostSettings } from "#embed/readHostSettings.ts"
import type { SvcSettings } from "#embed/SvcSettings.ts"
import { SvcError } from "../../packages/client/src/SvcError.ts"

/** Why settings are refused, as a program without types may give them. */
const refusalOf = (settings: object): string => {
  const read = readHostSettings({ settings, env: false })
  return Result.isFailure(read) ? `${read.failure.code} ${read.failure.message}` : "accepted"
}

const settingsOf = (settings: SvcSettings, env: false | Readonly<Record<string, string>> = false) =>
  Result.getOrThrow(readHostSettings({ settings, env })).settings

describe("settings of a host", () => {
  it("have the values that are given, and go before the environment", () => {
    const read = settingsOf(
      {
        sendHoldSeconds: 0,
        linkedinPacing: "off",
        allowPrivateTargets: true,
        unipileApiKey: "sesame",
        logLevel: "none"
      },
      { SVC_SEND_HOLD_SECONDS: "60", SVC_UNIPILE_API_KEY_FILE: "/nowhere", SVC_WORKERS: "2" }
    )
    assert.deepInclude(read, { sendHoldSeconds: 0, linkedinPacing: "off", allowPrivateTargets: true, workers: 2 })
    assert.strictEqual(read.unipileApiKey && Redacted.value(read.unipileApiKey), "sesame")
    assert.deepInclude(settingsOf({ databaseUrl: "memory:" }).databaseUrl, { _tag: "Memory" })
  })

  it("come after an option of the same meaning", () => {
    const given = { databaseUrl: "memory:", settings: { databaseUrl: "pglite:./other" }, env: false } as const
    assert.deepInclude(Result.getOrThrow(readHostSettings(given)).settings.databaseUrl, { _tag: "Memory" })
  })

  it("are read from nowhere else with env: false", () => {
    for (const [, { name }] of embedded) vi.stubEnv(name, "hunter2")
    try {
      assert.strictEqual(settingsOf({}).sendHoldSeconds, 10)
      assert.isUndefined(settingsOf({}).unipileApiKey)
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it("are refused by name where one is unknown, only a server's, or of a wrong kind", () => {
    assert.match(
      refusalOf({ sendHoldSecond: 0 }),
      /^INVALID_INPUT .*settings.sendHoldSecond is unknown, did you mean sendHoldSeconds\?/
    )
    assert.match(refusalOf({ pigeons: 0 }), /settings.pigeons is unknown: known are databaseUrl, .*otlp/)
    assert.match(refusalOf({ toString: 1 }), /settings.toString is unknown/)
    assert.match(
      refusalOf({ port: 80, workers: {} }),
      /settings.port is only for svc serve.*; settings.workers must be/
    )
    for (const value of [null, "", [], () => 1, Symbol("x")])
      assert.match(refusalOf({ workers: value }), /settings.workers must be/)
    assert.strictEqual(refusalOf({ workers: undefined }), "accepted")
  })

  it("are refused by name where a value is wrong, and repeat none", () => {
    const texts = [
      "unipileApiKey",
      "unipileWebhookSecret",
      "oidcClientId",
      "oidcClientSecret",
      "oidcScope",
      "dkimSelector"
    ]
    const bad = Object.fromEntries(
      embedded.flatMap(([name]) => (texts.includes(name) ? [] : [[name, "mysql://hunter2 /"]]))
    )
    const refusal = refusalOf(bad)
    for (const name of Object.keys(bad)) assert.match(refusal, new RegExp(`settings\\.${name} (?:must|has)`))
    assert.notInclude(refusal, "hunter2")
    assert.isAbove(Object.keys(bad).length, 25)
    assert.match(refusalOf({ workers: 65 }), /settings.workers must be a whole number from 1 to 64/)
    assert.match(refusalOf({ workers: Number.NaN }), /settings.workers must be a whole number/)
  })

  it("reach the service, which cannot start with a bad one", async () => {
    const open = (settings: SvcSettings) =>
      createSvc({ databaseUrl: "memory:", env: false, worker: false, settings: { ...settings, rateLimit: 1 } })
    const svc = await open({ logLevel: "none" })
    const ask = () => svc.fetch(new Request("http://host/api/v1/offers"), { actor: { scopes: ["offers:read"] } })
    assert.deepStrictEqual([(await ask()).status, (await ask()).status], [200, 429])
    await svc.close()
    const refused = await open(Object({ nope: 1 })).catch((error: unknown) => error)
    assert.isTrue(refused instanceof SvcError && refused.code === "INVALID_INPUT")
  })
})
