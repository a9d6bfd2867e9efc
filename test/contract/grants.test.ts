/** Grants of clients: what a code and tokens are worth, whose rights they have, what ends them, and what is stored of them. */

import { assert, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { type Consent, Grants, layer as grantsLayer } from "#core/workspace/authorization/Grants.ts"
import * as Authentication from "#core/workspace/organizations/Authentication.ts"
import { createKey, type KeyRequest, revokeKey, rotateKey } from "#core/workspace/organizations/Provisioning.ts"
import { SignIn, layer as signInLayer } from "#core/workspace/sessions/SignIn.ts"
import { Workspaces } from "#core/workspace/Workspaces.ts"
import { organization } from "../support/organization.ts"
import { actor, ask, code as codeOfRun, ok } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

const resource = "https://svc.test/mcp"
const proof = { clientId: "client", redirectUri: "https://agent.example/cb", challenge: "c".repeat(43) }
const consent: Consent = { ...proof, resource, name: "Agent", scopes: ["leads:read"], mode: "full" }

/** Authentication as a process that has cached nothing. */
const fresh = <A, E>(use: (service: Authentication.Authentication["Service"]) => Effect.Effect<A, E>) =>
  Effect.flatMap(Authentication.Authentication, use).pipe(Effect.provide(Layer.fresh(Authentication.layer)))

const actorOf = (token: string, at = resource) => fresh(({ authenticateToken }) => authenticateToken(token, at))

const codeOf = (token: string, at?: string) =>
  Effect.match(actorOf(token, at), { onSuccess: () => "ok", onFailure: ({ code }) => code })

/** What an attempt to get tokens came to. */
const outcome = <E extends { readonly message: string }, R>(attempt: Effect.Effect<unknown, E, R>) =>
  Effect.match(attempt, {
    onSuccess: () => "ok",
    onFailure: (failure) => ("error" in failure ? String(failure.error) : failure.message)
  })

/** A person's key in a new organization, who is signed in to the review page. */
const person = Effect.fnUntraced(function* (organizationId: string, request: KeyRequest = {}) {
  yield* organization(organizationId)
  const key = yield* createKey(organizationId, { name: "Lea", ...request })
  const by = yield* fresh(({ authenticate }) => authenticate(key.text))
  const session = yield* (yield* SignIn).withKey(by, key.text)
  return { key: key.key, by, session: yield* fresh(({ authenticateSession }) => authenticateSession(session.text)) }
})

const granted = Effect.fnUntraced(function* (
  organizationId: string,
  changes: Partial<Consent> = {},
  request: KeyRequest = {}
) {
  const grants = yield* Grants
  const who = yield* person(organizationId, request)
  const code = yield* grants.consent(who.session, { ...consent, ...changes })
  const tokens = yield* grants.exchange({ ...proof, code, resource })
  return { ...who, code, tokens, keyId: tokens.accessToken.split("_")[2] ?? "" }
})

/** In another process, which shares nothing but the store and the deployment's secret. */
const elsewhere = <A, E, R>(step: Effect.Effect<A, E, R>) => Effect.provide(step, Layer.fresh(grantsLayer))

interface Changes {
  readonly clientId?: string
  readonly resource?: string
  readonly scopes?: ReadonlyArray<string>
}

const refresh = (refreshToken: string, changes: Changes = {}) =>
  Effect.flatMap(Grants, (grants) =>
    grants.refresh({ refreshToken, clientId: proof.clientId, resource: undefined, scopes: [], ...changes })
  )

const everyRow = Effect.gen(function* () {
  const sql = yield* Effect.serviceOption(SqlClient)
  if (Option.isNone(sql)) return ""
  const rows = yield* sql.value`
    select row_to_json(a)::text as row from svc.audit_entries a union all select row_to_json(e)::text from svc.events e
    union all select row_to_json(k)::text from svc.api_keys k union all select row_to_json(l)::text from svc.organization_lookups l`
  return JSON.stringify(rows)
})

eachBackend("grants", (layer) =>
  it.layer(Layer.provideMerge(Layer.merge(grantsLayer, signInLayer), layer))((it) => {
    it.effect("act as an AI agent of their person with what was granted, at their resource", () =>
      Effect.gen(function* () {
        const { by, key, keyId, tokens } = yield* granted("org_g1", { mode: "draft_only" })
        const found = yield* actorOf(tokens.accessToken)
        assert.deepStrictEqual(found, {
          ...by,
          kind: "AI_AGENT",
          mode: "draft_only",
          scopes: ["leads:read"],
          keyId,
          grantor: { keyId: key.keyId, scopes: by.scopes }
        })
        assert.strictEqual(yield* codeOf(tokens.accessToken, "https://other.test/mcp"), "UNAUTHENTICATED")
        assert.strictEqual(yield* codeOf(tokens.refreshToken), "UNAUTHENTICATED")
        const { entries } = yield* ok("audit.list", {}, { actor: actor("org_g1") })
        const steps = entries.filter(({ command_id }: { command_id: string }) => command_id.startsWith("grant."))
        assert.deepStrictEqual(
          steps
            .map(({ actor: who, command_id, subject }: (typeof entries)[number]) => [command_id, who.kind, subject.id])
            .sort(),
          [
            ["grant.create", "USER", keyId],
            ["grant.exchange", "AI_AGENT", keyId]
          ]
        )
      })
    )

    it.effect("never have more rights than their person's key has now", () =>
      Effect.gen(function* () {
        const scopes = ["leads:read", "offers:read"] as const
        const { by, key, session, tokens } = yield* granted("org_g2", { scopes }, { scopes })
        assert.deepStrictEqual((yield* actorOf(tokens.accessToken)).scopes, scopes)
        yield* (yield* Workspaces).updateKey({ ...key, scopes: ["leads:read"] })
        assert.deepStrictEqual(
          (yield* actorOf(tokens.accessToken)).scopes,
          ["leads:read"],
          "their person's rights shrank"
        )
        const grants = yield* Grants
        for (const scope of ["offers:write", "admin"] as const) {
          assert.strictEqual(
            (yield* Effect.flip(grants.consent(session, { ...consent, scopes: [scope] }))).code,
            "FORBIDDEN_SCOPE"
          )
        }
        yield* ok("policy.set", { key_id: key.keyId, mutate: "deny" }, { actor: actor("org_g2") })
        assert.deepStrictEqual((yield* actorOf(tokens.accessToken)).policies?.key, { mutate: "deny" })
        assert.strictEqual(by.kind, "USER")
      })
    )

    it.effect("are given by a person in front of the page only", () =>
      Effect.gen(function* () {
        const { by, session, tokens } = yield* granted("org_g3")
        const grants = yield* Grants
        const agent = yield* actorOf(tokens.accessToken)
        for (const who of [
          by,
          agent,
          { ...session, kind: "AI_AGENT" as const },
          { ...session, mode: "draft_only" as const }
        ]) {
          assert.strictEqual((yield* Effect.flip(grants.consent(who, consent))).code, "APPROVAL_POLICY")
        }
        assert.strictEqual(
          (yield* Effect.flip(grants.consent(session, { ...consent, scopes: [] }))).code,
          "INVALID_INPUT"
        )
      })
    )

    it.effect("create no key, secret or link, and approve nothing that outlives them", () =>
      Effect.gen(function* () {
        const { key, keyId, tokens } = yield* granted("org_g4", { scopes: ["keys:manage", "leads:read"] })
        const by = { actor: yield* actorOf(tokens.accessToken) }
        assert.strictEqual(
          yield* codeOfRun("key.create", { name: "x", actor_kind: "AI_AGENT", scopes: ["leads:read"] }, by),
          "FORBIDDEN_SCOPE"
        )
        assert.notStrictEqual(yield* codeOfRun("key.rotate", { key_id: keyId }, by), "ok")
        assert.notStrictEqual(yield* codeOfRun("session.link.create", { key_id: key.keyId }, by), "ok")
        assert.strictEqual(yield* codeOfRun("key.rotate", { key_id: keyId }, { actor: actor("org_g4") }), "WRONG_STATE")
        assert.strictEqual(
          yield* codeOfRun("policy.set", { key_id: keyId, mutate: "allow" }, { actor: actor("org_g4") }),
          "WRONG_STATE"
        )
      })
    )

    it.effect("request approvals that their person may decide, and their agent may not", () =>
      Effect.gen(function* () {
        const { session, tokens } = yield* granted("org_g5", { scopes: ["offers:write"] })
        const agent = {
          ...(yield* actorOf(tokens.accessToken)),
          policies: { organization: { mutate: "ask" }, key: {} } as const
        }
        const { envelope } = yield* ask(
          "offer.create",
          { name: "x", one_liner: "y", value_proposition: "z" },
          { actor: agent }
        )
        assert.isTrue(envelope.meta.approval_required)
        const request = { approval_request_id: envelope.meta.approval_request_id, decision: "approve" }
        assert.notStrictEqual(yield* codeOfRun("approval.resolve", request, { actor: agent }), "ok")
        assert.strictEqual(yield* codeOfRun("approval.resolve", request, { actor: session }), "ok")
      })
    )

    it.effect("end: access after an hour, a code after a minute, all after 30 days without a refresh", () =>
      Effect.gen(function* () {
        const grants = yield* Grants
        const { session, tokens } = yield* granted("org_g6")
        const late = yield* grants.consent(session, consent)
        yield* TestClock.adjust("59 seconds")
        const inTime = yield* grants.consent(session, consent)
        assert.strictEqual(yield* codeOf(tokens.accessToken), "ok")
        yield* TestClock.adjust("1 seconds")
        assert.strictEqual(yield* outcome(grants.exchange({ ...proof, code: late, resource })), "invalid_grant")
        assert.strictEqual(yield* outcome(grants.exchange({ ...proof, code: inTime, resource })), "ok")
        yield* TestClock.adjust("59 minutes")
        assert.strictEqual(yield* codeOf(tokens.accessToken), "KEY_EXPIRED")
        let latest = tokens
        for (let month = 0; month < 3; month++) {
          yield* TestClock.adjust("29 days")
          latest = yield* refresh(latest.refreshToken)
          assert.strictEqual(yield* codeOf(latest.accessToken), "ok")
        }
        yield* TestClock.adjust("30 days")
        assert.strictEqual(yield* outcome(refresh(latest.refreshToken)), "invalid_grant")
      })
    )

    it.effect(
      "end with their person's key: revoked, expired, or rotated for as long as the old secret stays valid",
      () =>
        Effect.gen(function* () {
          const revoked = yield* granted("org_g7")
          yield* revokeKey(revoked.key.keyId)
          const rotated = yield* granted("org_g8")
          yield* rotateKey(rotated.key.keyId, 60)
          assert.strictEqual(yield* codeOf(rotated.tokens.accessToken), "ok")
          const expiresAt = new Date((yield* Clock.currentTimeMillis) + 60_000).toISOString()
          const expiring = yield* granted("org_g9", {}, { expiresAt })
          const code = yield* (yield* Grants).consent(expiring.session, consent)
          yield* TestClock.adjust("60 seconds")
          for (const { tokens } of [revoked, rotated, expiring]) {
            assert.strictEqual(yield* codeOf(tokens.accessToken), "UNAUTHENTICATED")
            assert.strictEqual(yield* outcome(refresh(tokens.refreshToken)), "invalid_grant")
          }
          assert.strictEqual(yield* outcome((yield* Grants).exchange({ ...proof, code, resource })), "invalid_grant")
        })
    )

    it.effect(
      "outlive the session that gave them, and end with key.revoke, a client's word, or an operator's, with one event each",
      () =>
        Effect.gen(function* () {
          const { by, keyId, session, tokens } = yield* granted("org_g10")
          yield* ok("key.revoke", { key_id: session.keyId }, { actor: by })
          assert.strictEqual(yield* codeOf(tokens.accessToken), "ok")
          for (let times = 0; times < 2; times++) yield* ok("key.revoke", { key_id: keyId }, { actor: by })
          assert.strictEqual(yield* codeOf(tokens.accessToken), "KEY_REVOKED")
          const client = yield* granted("org_g11")
          const { revoke } = yield* Grants
          yield* revoke(client.tokens.refreshToken, "another client")
          assert.strictEqual(yield* codeOf(client.tokens.accessToken), "ok")
          for (let times = 0; times < 2; times++) yield* revoke(client.tokens.refreshToken, proof.clientId)
          const operator = yield* granted("org_g12")
          for (let times = 0; times < 2; times++) yield* revokeKey(operator.keyId)
          for (const [organizationId, reason] of [
            ["org_g10", "revoked"],
            ["org_g11", "client"],
            ["org_g12", "revoked"]
          ] as const) {
            const { events } = yield* ok("event.list", { types: "grant.revoked" }, { actor: actor(organizationId) })
            assert.deepStrictEqual(
              events.map(({ data }: { data: { reason: string } }) => data.reason),
              [reason]
            )
          }
        })
    )

    it.effect("keep at most four access tokens valid, the latest", () =>
      Effect.gen(function* () {
        let { tokens } = yield* granted("org_g13")
        const all = [tokens.accessToken]
        for (let times = 0; times < 5; times++) {
          tokens = yield* refresh(tokens.refreshToken)
          all.push(tokens.accessToken)
        }
        const codes = yield* Effect.forEach(all, (token) => codeOf(token))
        assert.deepStrictEqual(codes, ["UNAUTHENTICATED", "UNAUTHENTICATED", "ok", "ok", "ok", "ok"])
      })
    )

    it.effect("store no code or token, nor name one in audit rows or events", () =>
      Effect.gen(function* () {
        const { code, tokens } = yield* granted("org_g14")
        const next = yield* refresh(tokens.refreshToken)
        const key = yield* (yield* Workspaces).findKey(tokens.accessToken.split("_")[2] ?? "")
        const rows = (yield* everyRow) + JSON.stringify(key)
        assert.include(rows, "codeHash")
        for (const text of [
          code,
          tokens.accessToken,
          next.accessToken,
          ...tokens.refreshToken.split("."),
          ...next.refreshToken.split(".")
        ]) {
          assert.notInclude(rows, text.length === 43 ? text : (text.split("_")[3] ?? "?"))
        }
      })
    )

    it.effect("of one code come once, and of one refresh token the same, whoever asks at the same time", () =>
      Effect.gen(function* () {
        const grants = yield* Grants
        const { session } = yield* person("org_g15")
        for (let round = 0; round < 30; round++) {
          const code = yield* grants.consent(session, consent)
          const exchange = grants.exchange({ ...proof, code, resource })
          const exchanged = yield* Effect.all([outcome(exchange), outcome(exchange)], { concurrency: "unbounded" })
          assert.deepStrictEqual(exchanged.toSorted(), ["invalid_grant", "ok"], `codes, round ${round}`)

          const fine = yield* grants.exchange({ ...proof, code: yield* grants.consent(session, consent), resource })
          const again = elsewhere(refresh(fine.refreshToken))
          const [one, other] = yield* Effect.all([again, again], { concurrency: "unbounded" })
          assert.deepStrictEqual(one, other, `refresh tokens, round ${round}`)
          assert.strictEqual(yield* codeOf(one.accessToken), "ok")
        }
      })
    )

    it.effect("are the same when a refresh is retried within 30 seconds, in any process, and add nothing", () =>
      Effect.gen(function* () {
        let { keyId, tokens } = yield* granted("org_g16")
        for (const seconds of [0, 1, 29]) {
          const next = yield* elsewhere(refresh(tokens.refreshToken))
          const stored = yield* (yield* Workspaces).findKey(keyId)
          yield* TestClock.adjust(`${seconds} seconds`)
          for (let times = 0; times < 5; times++) {
            assert.deepStrictEqual(yield* elsewhere(refresh(tokens.refreshToken)), next)
          }
          const after = yield* (yield* Workspaces).findKey(keyId)
          assert.deepStrictEqual([after?.secrets, after?.session], [stored?.secrets, stored?.session])
          assert.notStrictEqual(next.refreshToken, tokens.refreshToken)
          for (const { accessToken } of [tokens, next]) assert.strictEqual(yield* codeOf(accessToken), "ok")
          tokens = next
        }
      })
    )

    it.effect(
      "are revoked when a refresh token comes again later, after the next, from another client, or changed",
      () =>
        Effect.gen(function* () {
          const replays: Readonly<
            Record<string, (first: string, second: string) => Effect.Effect<unknown, unknown, Grants>>
          > = {
            late: (first) => Effect.andThen(TestClock.adjust("30 seconds"), refresh(first)),
            "after the next": (first, second) => Effect.andThen(refresh(second), refresh(first)),
            "of another client": (first) => refresh(first, { clientId: "thief" }),
            changed: (first) => refresh(`${first.slice(0, -1)}${first.endsWith("x") ? "y" : "x"}`)
          }
          for (const [index, [how, replay]] of Object.entries(replays).entries()) {
            const { tokens } = yield* granted(`org_g17_${index}`)
            const next = yield* refresh(tokens.refreshToken)
            assert.strictEqual(yield* codeOf(next.accessToken), "ok")
            const attempt = yield* Effect.exit(replay(tokens.refreshToken, next.refreshToken))
            assert.strictEqual(attempt._tag, "Failure", how)
            assert.strictEqual(yield* codeOf(next.accessToken), "KEY_REVOKED", how)
            assert.strictEqual(yield* outcome(refresh(next.refreshToken)), "invalid_grant", how)
          }
        })
    )

    it.effect("are refused to a retry for another resource or more scopes, and to one after the grant has ended", () =>
      Effect.gen(function* () {
        const { keyId, tokens } = yield* granted("org_g18")
        const next = yield* refresh(tokens.refreshToken)
        const other = { resource: "https://other.test/mcp" }
        assert.strictEqual(yield* outcome(refresh(tokens.refreshToken, other)), "invalid_target")
        assert.strictEqual(yield* outcome(refresh(tokens.refreshToken, { scopes: ["admin"] })), "invalid_scope")
        assert.deepStrictEqual(yield* refresh(tokens.refreshToken), next)
        yield* revokeKey(keyId)
        assert.strictEqual(yield* outcome(refresh(tokens.refreshToken)), "invalid_grant")
      })
    )
  })
)
