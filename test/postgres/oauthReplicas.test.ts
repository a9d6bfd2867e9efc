/** A client signs in with the help of several processes: what one began, any other one continues, and none takes twice. */

import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { SignIn, layer as signInLayer } from "#core/workspace/sessions/SignIn.ts"
import { Workspaces } from "#core/workspace/Workspaces.ts"
import { createSvc } from "#embed/createSvc.ts"
import { clearUrl, freshPostgres, hasPostgres } from "../support/backends.ts"
import { at, readReply, requestInit } from "../support/httpService.ts"
import { fieldOf, formText, pkce, redirectUri, sameOrigin } from "../support/oauthService.ts"

const base = "https://svc.test"

describe.skipIf(!hasPostgres())("several processes on one database", () => {
  it.live("register, consent, exchange, call, refresh and revoke, each on another one", () =>
    Effect.gen(function* () {
      const { url } = yield* freshPostgres()
      const open = () =>
        createSvc({ databaseUrl: clearUrl(url), env: false, worker: false, rateLimit: 0, publicUrl: base })
      const services = yield* Effect.acquireRelease(
        Effect.promise(async () => [await open(), await open()] as const),
        (opened) => Effect.promise(() => Promise.all(opened.map((svc) => svc.close())))
      )
      let turn = 0
      /** Asks the processes in turn. */
      const ask = (method: string, path: string, asked: Parameters<typeof requestInit>[1] = {}) =>
        Effect.promise(async () => {
          const svc = services[turn++ % 2]
          const request = new Request(`${base}${path}`, requestInit(method, { key: null, ...asked }, ""))
          return readReply((await svc?.fetch(request)) ?? new Response())
        })
      const post = (path: string, fields: Parameters<typeof formText>[0], headers = {}) =>
        ask("POST", path, {
          body: formText(fields),
          headers: { "content-type": "application/x-www-form-urlencoded", ...headers }
        })
      const [first] = services
      const { apiKey } = yield* Effect.promise(() => first.createOrganization("Acme"))
      const registered = yield* ask("POST", "/oauth/register", { json: { redirect_uris: [redirectUri] } })
      const client_id = String(at(registered.body, "client_id"))
      for (let round = 0; round < 10; round++) {
        const { challenge, verifier } = pkce()
        const path = `/oauth/authorize?${formText({
          response_type: "code",
          client_id,
          redirect_uri: redirectUri,
          code_challenge: challenge,
          code_challenge_method: "S256"
        })}`
        const signedIn = yield* post(path, { action: "sign_in", api_key: apiKey }, sameOrigin)
        const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
        const page = yield* ask("GET", path, { headers: { cookie } })
        turn++
        const form = { ticket: fieldOf(page.text, "ticket"), action: "allow", scope: "leads:read" }
        const allowed = yield* post(path, form, { cookie, ...sameOrigin })
        assert.strictEqual(allowed.status, 303, allowed.text)
        const code = new URL(allowed.headers.get("location") ?? "").searchParams.get("code") ?? ""
        const fields = {
          grant_type: "authorization_code",
          client_id,
          redirect_uri: redirectUri,
          code,
          code_verifier: verifier
        }
        // Both processes at once: one of them comes second.
        const [one, two] = yield* Effect.all([post("/oauth/token", fields), post("/oauth/token", fields)], {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual([one.status, two.status].sort(), [200, 400], `round ${round}`)
        const tokens = one.status === 200 ? one.body : two.body
        const refreshed = yield* post("/oauth/token", {
          grant_type: "refresh_token",
          client_id,
          refresh_token: String(at(tokens, "refresh_token"))
        })
        assert.strictEqual(at(refreshed.body, "error"), "invalid_grant", "a code that came twice revoked its grant")
      }
    }).pipe(Effect.scoped)
  )

  it.live("know a person of an identity provider by one key, however many sign-ins come at once", () =>
    Effect.gen(function* () {
      const { url } = yield* freshPostgres()
      const open = () => createSvc({ databaseUrl: clearUrl(url), env: false, worker: false, rateLimit: 0 })
      const services = yield* Effect.acquireRelease(
        Effect.promise(async () => [await open(), await open()] as const),
        (opened) => Effect.promise(() => Promise.all(opened.map((svc) => svc.close())))
      )
      const [first] = services
      const { organizationId } = yield* Effect.promise(() => first.createOrganization("Acme"))
      for (let round = 0; round < 20; round++) {
        const identity = { issuer: "https://id.example", subject: `person ${round}`, name: `Person ${round}` }
        const signIn = (svc: (typeof services)[number]) =>
          Effect.promise(() =>
            svc.effect.runtime.runPromise(
              Effect.flatMap(SignIn, ({ withIdentity }) =>
                withIdentity(identity, { organizationId, scopes: ["leads:read"] })
              ).pipe(Effect.provide(signInLayer))
            )
          )
        const sessions = yield* Effect.all(services.map(signIn), { concurrency: "unbounded" })
        assert.strictEqual(new Set(sessions.map(({ key }) => key.session?.parentKeyId)).size, 1, `round ${round}`)
        const keys = yield* Effect.promise(() =>
          first.effect.runtime.runPromise(Effect.flatMap(Workspaces, ({ listKeys }) => listKeys(organizationId)))
        )
        assert.lengthOf(
          keys.filter(({ name, session }) => name === identity.name && session === undefined),
          1
        )
      }
    }).pipe(Effect.scoped)
  )
})
