/** What endpoints for signing in tell others: nothing secret in logs, traces and errors, and no more than a rate. */
import { assert, describe, it } from "@effect/vitest"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"
import { at } from "../support/httpService.ts"
import { openOAuth, pkce, sameOrigin } from "../support/oauthService.ts"
import { stopClock } from "../support/stoppedClock.ts"

describe("secrets", () => {
  it("are in no log, trace, error or audit row: codes, tokens, verifiers, keys", async () => {
    const seen: Array<string> = []
    const logger = Logger.make(({ cause, fiber, message }) => {
      seen.push(JSON.stringify([message, String(cause), fiber.getRef(References.CurrentLogAnnotations)]))
    })
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        const attribute = span.attribute.bind(span)
        span.attribute = (name, value) => {
          seen.push(`${name}=${String(value)}`)
          attribute(name, value)
        }
        seen.push(JSON.stringify([options.name, Object.fromEntries(span.attributes)]))
        return span
      }
    })
    const beside = Layer.mergeAll(
      Logger.layer([logger]),
      Layer.succeed(References.MinimumLogLevel, "Trace"),
      Layer.succeed(Tracer.Tracer, tracer)
    )
    const service = await openOAuth({}, beside)
    const { access, code, client_id, refresh } = await service.tokensFor(service.apiKey)
    const path = service.authorizePath(client_id, pkce().challenge)
    const replies = [
      await service.call(access, "lead_search"),
      await service.call(access, "offer_list"),
      await service.call(refresh, "lead_search"),
      await service.postForm(path, { action: "sign_in", api_key: `${service.apiKey}x` }, sameOrigin),
      await service.postForm(path, { action: "sign_in", api_key: access }, sameOrigin),
      await service.exchange(code),
      await service.exchange({ ...code, client_id: undefined }),
      await service.refresh({ client_id, refresh_token: refresh }),
      await service.postForm("/oauth/revoke", { token: refresh, client_id }),
      await service.ask("GET", `/oauth/authorize?code=${code.code}`),
      await service.ask("POST", "/api/v1/commands/audit.list", { key: service.apiKey, json: { limit: 100 } }),
      await service.ask("POST", "/api/v1/commands/key.list", { key: service.apiKey, json: {} }),
      await service.ask("GET", "/api/v1/events", { key: service.apiKey })
    ]
    await service.close()
    assert.isAbove(seen.length, 50)
    assert.include(seen.join("\n"), "/oauth/token")
    const secrets = [access, code.code, service.apiKey].map((text) => text.split("_")[3] ?? "?")
    for (const secret of [
      ...secrets,
      ...refresh.split(".").map((part) => part.split("_")[3] ?? part),
      code.code_verifier
    ]) {
      assert.isAbove(secret.length, 40)
      assert.notInclude(seen.join("\n"), secret)
      for (const { text } of replies) assert.notInclude(text, secret)
    }
  })
})

describe("rates", () => {
  stopClock()

  const statuses = async (count: number, send: () => Promise<{ readonly status: number }>) => {
    const found: Array<number> = []
    for (let times = 0; times < count; times++) found.push((await send()).status)
    return found
  }

  it("limit registering, tokens and the page by address, each by itself, with Retry-After", async () => {
    const service = await openOAuth({ rateLimit: 300 })
    const json = { redirect_uris: ["https://agent.example/cb"] }
    const register = () => service.ask("POST", "/oauth/register", { json })
    assert.deepStrictEqual(await statuses(7, register), [201, 201, 201, 201, 201, 201, 429])
    const refused = await register()
    assert.strictEqual(at(refused.body, "error"), "temporarily_unavailable")
    assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/)
    const tokens = await statuses(61, () => service.refresh({ client_id: "x", refresh_token: "x" }))
    assert.deepStrictEqual([tokens.indexOf(429), tokens[0]], [60, 400])
    const pages = await statuses(25, () => service.ask("GET", "/oauth/authorize?client_id=x"))
    assert.deepStrictEqual([pages.indexOf(429), pages[0]], [24, 400])
    assert.strictEqual((await service.ask("GET", "/.well-known/oauth-authorization-server")).status, 200)
    await service.close()
  })

  it("limit guessing of keys on the page, and the documents that strangers make the service read", async () => {
    const service = await openOAuth({ rateLimit: 300 })
    const path = service.authorizePath(await service.register(), pkce().challenge)
    const guesses = await statuses(13, () => service.postForm(path, { action: "sign_in", api_key: "x" }, sameOrigin))
    assert.strictEqual(guesses.indexOf(429), 12)
    await service.close()
    const other = await openOAuth({ rateLimit: 300 })
    const reads = await statuses(7, () => other.ask("GET", "/oauth/authorize?client_id=https://127.0.0.1/x"))
    assert.deepStrictEqual(reads, [400, 400, 400, 400, 400, 400, 429])
    await other.close()
  })
})
