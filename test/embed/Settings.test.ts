/** Gateways and their settings. */
import { generateKeyPairSync } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { LinkedInGateway } from "#core/outreach/provider/LinkedInGateway.ts"
import { generateKey } from "#core/workspace/organizations/ApiKey.ts"
import { gatewayLayer } from "#embed/Composition.ts"
import { type Environment, type GatewayName, readSettings, variables } from "#embed/Settings.ts"

const secret = `whsec_${"A".repeat(32)}`
const unipile = {
  SVC_LINKEDIN_GATEWAY: "unipile",
  SVC_UNIPILE_DSN: "api8.example.com:13851",
  SVC_UNIPILE_API_KEY: "key-that-is-secret"
}
const http = {
  SVC_LINKEDIN_GATEWAY: "http",
  SVC_LINKEDIN_BRIDGE_URL: "https://bridge.example.com/v1",
  SVC_LINKEDIN_BRIDGE_SECRET: secret
}

const refusalOf = (environment: Environment): string => {
  const read = readSettings(environment)
  return Result.isFailure(read) ? read.failure.message : "accepted"
}

describe("Settings of gateways", () => {
  it("accept each gateway with what it needs", () => {
    const accepted: ReadonlyArray<Environment> = [
      {},
      { SVC_LINKEDIN_GATEWAY: "simulator" },
      { SVC_LINKEDIN_GATEWAY: "manual", SVC_LINKEDIN_PACING: "off" },
      unipile,
      { ...unipile, SVC_UNIPILE_DSN: "http://127.0.0.1:3000" },
      http,
      { ...http, SVC_LINKEDIN_PACING: "off", SVC_ALLOW_UNPACED: "yes" },
      // Kept for another day.
      { ...unipile, SVC_LINKEDIN_GATEWAY: "simulator", SVC_LINKEDIN_PACING: "off" }
    ]
    for (const environment of accepted) assert.strictEqual(refusalOf(environment), "accepted")
  })

  it("refuse a gateway without what it needs, naming it", () => {
    const { SVC_UNIPILE_API_KEY: _, ...keyless } = unipile
    assert.include(refusalOf(keyless), "the LinkedIn gateway unipile requires SVC_UNIPILE_API_KEY")
    const bare = { SVC_LINKEDIN_GATEWAY: "http" }
    assert.include(refusalOf(bare), "http requires SVC_LINKEDIN_BRIDGE_URL and SVC_LINKEDIN_BRIDGE_SECRET")
  })

  it("refuse to write to people without limits, unless that is meant", () => {
    for (const gateway of [unipile, http]) {
      const message = refusalOf({ ...gateway, SVC_LINKEDIN_PACING: "off" })
      assert.include(message, "without limits and at any hour, which requires SVC_ALLOW_UNPACED=yes")
      assert.include(
        refusalOf({ ...gateway, SVC_LINKEDIN_PACING: "off", SVC_ALLOW_UNPACED: "no" }),
        "SVC_ALLOW_UNPACED"
      )
    }
  })

  it("list every bad value, and repeat none", () => {
    const message = refusalOf({
      SVC_LINKEDIN_GATEWAY: "pigeon",
      SVC_UNIPILE_DSN: "http://api8.example.com/secret-path",
      SVC_LINKEDIN_BRIDGE_URL: "https://user:secret-user@bridge.example.com",
      SVC_LINKEDIN_BRIDGE_SECRET: "secret-secret",
      SVC_WORKERS: "0",
      SVC_ALLOW_UNPACED: "true"
    })
    for (const name of ["GATEWAY", "UNIPILE_DSN", "BRIDGE_URL", "BRIDGE_SECRET", "WORKERS", "ALLOW_UNPACED"]) {
      assert.match(message, new RegExp(`SVC_[A-Z_]*${name} must be`))
    }
    assert.notInclude(message, "secret-")
    assert.notInclude(JSON.stringify(readSettings(unipile)), "key-that-is-secret")
  })

  it.effect("make the gateway that they name, for a host that names it too", () =>
    Effect.gen(function* () {
      const nameOf = (gateway: GatewayName, environment: Environment) =>
        Effect.map(LinkedInGateway, ({ name }) => name).pipe(
          Effect.provide(gatewayLayer(gateway, Result.getOrThrow(readSettings(environment))))
        )
      assert.strictEqual(yield* nameOf("unipile", unipile), "unipile")
      assert.strictEqual(yield* nameOf("http", http), "http")
      assert.strictEqual(yield* nameOf("manual", {}), "manual")
      const refused = yield* Effect.flip(nameOf("unipile", {}))
      assert.include(refused.message, "requires SVC_UNIPILE_DSN and SVC_UNIPILE_API_KEY")
    })
  )
})

describe("Settings of telemetry", () => {
  it("name an endpoint, whose user and password are shown nowhere", () => {
    const read = (environment: Environment) => Result.getOrThrow(readSettings(environment)).otlp
    assert.isUndefined(read({}))
    assert.deepStrictEqual(read({ SVC_OTLP_URL: "http://127.0.0.1:4318/" }), {
      url: "http://127.0.0.1:4318",
      label: "http://127.0.0.1:4318",
      authorization: undefined
    })
    const guarded = read({ SVC_OTLP_URL: "https://ada:se%2Fsame@otel.example/otlp" })
    assert.deepInclude(guarded, { url: "https://otel.example/otlp", label: "https://otel.example/otlp" })
    assert.notInclude(JSON.stringify(guarded), "same")
    for (const bad of [
      "otel",
      "ftp://otel.example",
      "https://ada:sesame@otel.example?x=1",
      "https://%ff:sesame@otel.example"
    ]) {
      assert.include(refusalOf({ SVC_OTLP_URL: bad }), "SVC_OTLP_URL must be an http or https URL")
      assert.notInclude(refusalOf({ SVC_OTLP_URL: bad }), "sesame")
    }
  })
})

describe("Settings of an identity provider", () => {
  const issuer = { SVC_OIDC_ISSUER: "https://id.example.com/tenant", SVC_OIDC_CLIENT_ID: "svc" }

  it("need a client and rights", () => {
    assert.strictEqual(refusalOf({ ...issuer, SVC_OIDC_RIGHTS: "email=* org_1 drafter" }), "accepted")
    assert.include(refusalOf(issuer), "SVC_OIDC_ISSUER requires SVC_OIDC_RIGHTS")
    assert.include(
      refusalOf({ SVC_OIDC_ISSUER: "http://127.0.0.1:3000" }),
      "SVC_OIDC_ISSUER requires SVC_OIDC_CLIENT_ID"
    )
  })
})

describe("Settings of e-mail", () => {
  it("name a server, in the variable or in a file, and are refused without their password", () => {
    const folder = mkdtempSync(join(tmpdir(), "svc-test-"))
    const file = join(folder, "smtp")
    writeFileSync(file, "smtps://ada:sesame@mail.example\n")
    const read = (environment: Environment) => Result.getOrThrow(readSettings(environment)).smtp
    assert.isUndefined(read({}))
    assert.deepInclude(read({ SVC_SMTP_URL: "smtp://127.0.0.1:2525" }), { port: 2525, isLoopback: true })
    assert.deepInclude(read({ SVC_SMTP_URL_FILE: file }), { host: "mail.example", port: 465, isSecure: true })
    assert.notInclude(JSON.stringify(read({ SVC_SMTP_URL_FILE: file })), "sesame")
    const refusal = refusalOf({ SVC_SMTP_URL: "smtp://sesame@mail.example" })
    assert.match(refusal, /SVC_SMTP_URL must be smtps:/)
    assert.notInclude(refusal, "sesame")
    assert.include(refusalOf({ SVC_SMTP_URL_FILE: join(folder, "none") }), "SVC_SMTP_URL_FILE must be the path of a")
    rmSync(folder, { recursive: true })
  })
})

describe("every setting", () => {
  /** A value that each variable cannot have; a text that is any text has none. */
  const bad: Readonly<Record<string, string>> = {
    SVC_DATABASE_URL: "mysql://hunter2@db.example/svc",
    SVC_PORT: "65536",
    SVC_ADMIN_PORT: "65536",
    SVC_DRAIN_SECONDS: "301",
    SVC_KEEP_ALIVE_SECONDS: "0",
    SVC_TRUSTED_PROXIES: "hunter2",
    SVC_DATABASE_WAIT_SECONDS: "1m",
    SVC_STATEMENT_TIMEOUT_SECONDS: "0",
    SVC_SEARCH_TIMEOUT_SECONDS: "601",
    SVC_DEPLOYMENT_KEY: "hunter2",
    SVC_PUBLIC_URL: "hunter2.example",
    SVC_BOOTSTRAP_KEY: "svc_live_hunter2",
    SVC_LINKEDIN_GATEWAY: "pigeon",
    SVC_UNIPILE_DSN: "http://hunter2.example/path",
    SVC_LINKEDIN_BRIDGE_URL: "http://hunter2.example",
    SVC_LINKEDIN_BRIDGE_SECRET: "hunter2",
    SVC_OIDC_ISSUER: "http://hunter2.example",
    SVC_OIDC_RIGHTS: "groups=hunter2",
    SVC_SEND_HOLD_SECONDS: "-1",
    SVC_HEARTBEAT_GAP_SECONDS: "1d",
    SVC_ON_FAILOVER: "wait",
    SVC_LINKEDIN_PACING: "maybe",
    SVC_ALLOW_UNPACED: "true",
    SVC_MCP_ACTOR_KIND: "person",
    SVC_SIMULATOR_ACCEPT_SECONDS: "soon",
    SVC_RATE_LIMIT: "1e3",
    SVC_REDIS_URL: "http://hunter2.example",
    SVC_DB_POOL: "0",
    SVC_DB_SHARE: "101",
    SVC_WORKERS: "65",
    SVC_RETAIN_IDEMPOTENCY_DAYS: "7d",
    SVC_RETAIN_DELIVERIES_DAYS: "-1",
    SVC_RETAIN_EVENTS_DAYS: "0.5",
    SVC_RETAIN_IMPORT_ROWS_DAYS: "36501",
    SVC_RETAIN_AUDIT_DAYS: "forever",
    SVC_ALLOW_PRIVATE_TARGETS: "yes",
    SVC_SMTP_URL: "http://hunter2.example",
    SVC_DKIM_KEY: "hunter2",
    SVC_NOTICE_FROM: "hunter2",
    SVC_LOG_LEVEL: "loud",
    SVC_LOG_FORMAT: "xml",
    SVC_OTLP_URL: "otlp://hunter2.example"
  }
  const anyText = [
    "SVC_HOST",
    "SVC_ADMIN_HOST",
    "SVC_UNIPILE_API_KEY",
    "SVC_UNIPILE_WEBHOOK_SECRET",
    "SVC_OIDC_CLIENT_ID",
    "SVC_OIDC_CLIENT_SECRET",
    "SVC_OIDC_SCOPE",
    "SVC_DKIM_SELECTOR"
  ]

  it("is read and refused by its name, together with all others that are wrong", () => {
    const names = Object.values(variables).map(({ name }) => name)
    assert.sameMembers(names, [...Object.keys(bad), ...anyText])
    for (const [name, value] of Object.entries(bad)) {
      const refusal = refusalOf({ [name]: value })
      assert.match(refusal, new RegExp(`^Invalid settings: ${name} (?:must|has)`))
      assert.notInclude(refusal, "hunter2")
    }
    const all = refusalOf(bad)
    for (const name of Object.keys(bad)) assert.include(all, `${name} `)
  })
})

describe("Settings in files", () => {
  const { privateKey } = generateKeyPairSync("ed25519")
  const dkimKey = privateKey.export({ type: "pkcs8", format: "pem" }).toString().trim()
  const values: Readonly<Record<string, string>> = {
    SVC_DATABASE_URL: "postgres://svc:sesame@db.example/outreach",
    SVC_BOOTSTRAP_KEY: generateKey(),
    SVC_DEPLOYMENT_KEY: `${"sesame".repeat(7)}s=`,
    SVC_UNIPILE_API_KEY: "sesame-key",
    SVC_UNIPILE_WEBHOOK_SECRET: "sesame-webhook",
    SVC_LINKEDIN_BRIDGE_SECRET: secret,
    SVC_OIDC_CLIENT_SECRET: "sesame-client",
    SVC_SMTP_URL: "smtps://ada:sesame@mail.example",
    SVC_DKIM_KEY: dkimKey,
    SVC_OTLP_URL: "https://ada:sesame@otel.example/otlp",
    SVC_REDIS_URL: "rediss://ada:sesame@redis.example:6380/1"
  }

  it("are all those that are secret, and read the same from there", () => {
    const folder = mkdtempSync(join(tmpdir(), "svc-test-"))
    const plain = { SVC_UNIPILE_DSN: "api8.example.com" }
    const secrets = Object.entries(variables).filter(([, { isSecret }]) => isSecret)
    assert.sameMembers(
      secrets.map(([, { name }]) => name),
      Object.keys(values)
    )
    for (const [field, { name }] of secrets) {
      const file = join(folder, name)
      const text = values[name] ?? ""
      writeFileSync(file, `${text}\n`)
      const read = (environment: Environment) =>
        Object(Result.getOrThrow(readSettings({ ...plain, ...environment })))[field]
      const fromFile = read({ [`${name}_FILE`]: file })
      const fromVariable = read({ [name]: text })
      assert.deepStrictEqual(JSON.stringify(fromFile), JSON.stringify(fromVariable), name)
      if (Redacted.isRedacted(fromFile)) assert.strictEqual(Redacted.value(fromFile), text)
      assert.notInclude(JSON.stringify(fromFile), text)
      const both = refusalOf({ [name]: text, [`${name}_FILE`]: file })
      assert.include(both, `${name} and ${name}_FILE are both set: use only one of them`)
      assert.notInclude(both, text)
      assert.strictEqual(refusalOf({ [name]: "", [`${name}_FILE`]: file }), "accepted", "an empty variable is none")
      for (const bad of [join(folder, "none"), folder]) {
        assert.include(refusalOf({ [`${name}_FILE`]: bad }), `${name}_FILE must be the path of a readable`)
      }
      for (const content of ["", " \n", "x".repeat(70_000)]) {
        writeFileSync(join(folder, "bad"), content)
        assert.include(refusalOf({ [`${name}_FILE`]: join(folder, "bad") }), `${name}_FILE must be the path of a`)
      }
    }
    // What is not secret has no file.
    assert.strictEqual(refusalOf({ SVC_HOST_FILE: join(folder, "none") }), "accepted")
    rmSync(folder, { recursive: true })
  })

  it("say what is wrong in them without their text", () => {
    const folder = mkdtempSync(join(tmpdir(), "svc-test-"))
    const file = join(folder, "secret")
    writeFileSync(file, "sesame sesame")
    for (const name of ["SVC_DATABASE_URL", "SVC_BOOTSTRAP_KEY", "SVC_LINKEDIN_BRIDGE_SECRET", "SVC_SMTP_URL"]) {
      const refusal = refusalOf({ [`${name}_FILE`]: file })
      assert.match(refusal, new RegExp(`settings: ${name} (must be|has the unknown)`))
      assert.notInclude(refusal, "sesame")
    }
    rmSync(folder, { recursive: true })
  })
})
