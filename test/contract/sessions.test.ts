/** Sessions of the review page: how they start, whose rights they have, and what ends them. */

import { assert, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import * as TestClock from "effect/testing/TestClock"
import { parseKey } from "#core/workspace/organizations/ApiKey.ts"
import * as Authentication from "#core/workspace/organizations/Authentication.ts"
import { createKey, type KeyRequest, rotateKey } from "#core/workspace/organizations/Provisioning.ts"
import { deleteOldRows } from "#core/workspace/retention/RetentionWorker.ts"
import { createSignInLink, SignIn, layer as signInLayer } from "#core/workspace/sessions/SignIn.ts"
import { Workspaces } from "#core/workspace/Workspaces.ts"
import { organization } from "../support/organization.ts"
import { actor, ask, code, keyed, ok } from "../support/World.ts"
import { eachBackend } from "./backends.ts"

const hours = (count: number) => TestClock.adjust(`${count} hours`)

/** Authentication as a process that has cached nothing. */
const authenticated = (text: string, use: "authenticate" | "authenticateSession") =>
  Effect.flatMap(Authentication.Authentication, (authentication) => authentication[use](text)).pipe(
    Effect.provide(Layer.fresh(Authentication.layer))
  )

const codeOf = (text: string, use: "authenticate" | "authenticateSession" = "authenticateSession") =>
  Effect.match(authenticated(text, use), { onSuccess: () => "ok", onFailure: ({ code }) => code })

/** Waits until the last use of a session is recorded, which a request does not wait for. */
const usedAt = Effect.fnUntraced(function* (text: string) {
  const { findKey } = yield* Workspaces
  const at = new Date(yield* Clock.currentTimeMillis).toISOString()
  for (let tries = 0; tries < 1000; tries++) {
    if ((yield* findKey(parseKey(text)?.keyId ?? ""))?.lastUsedAt === at) return
    yield* Effect.yieldNow
  }
  return assert.fail("the use was not recorded")
})

/** A person's key in a new organization, and a session of it. */
const signedIn = Effect.fnUntraced(function* (organizationId: string, request: KeyRequest = {}) {
  yield* organization(organizationId)
  const key = yield* createKey(organizationId, { name: "Lea", ...request })
  const by = yield* authenticated(key.text, "authenticate")
  const session = yield* (yield* SignIn).withKey(by, key.text)
  return { key, by, session, text: session.text }
})

const offer = (name: string) => ({ name, one_liner: "x", value_proposition: "y" })

const linkCode = (path: string | null): string => (path ?? "").split("#link=")[1] ?? ""

const everyRow = Effect.gen(function* () {
  const sql = yield* Effect.serviceOption(SqlClient)
  if (Option.isNone(sql)) return ""
  const rows = yield* sql.value`
    select row_to_json(k)::text as row from svc.idempotency_keys k union all select row_to_json(a)::text from svc.audit_entries a
    union all select row_to_json(e)::text from svc.events e union all select row_to_json(k)::text from svc.api_keys k`
  return JSON.stringify(rows)
})

eachBackend("sessions", (layer) =>
  it.layer(Layer.provideMerge(signInLayer, layer))((it) => {
    it.effect("act as the person of their key, under their own id, and no other door takes their text", () =>
      Effect.gen(function* () {
        const { by, key, session, text } = yield* signedIn("org_s1", { scopes: ["linkedin:read", "keys:manage"] })
        const found = yield* authenticated(text, "authenticateSession")
        assert.deepStrictEqual(found, { ...by, keyId: session.key.keyId, parentKeyId: key.key.keyId })
        assert.strictEqual(found.kind, "USER")
        assert.strictEqual(yield* codeOf(text, "authenticate"), "UNAUTHENTICATED", "a session is no key")
        assert.strictEqual(yield* codeOf(key.text), "UNAUTHENTICATED", "a key is no session")
        const { keys } = yield* ok("key.list", {}, { actor: found })
        const [listed] = keys.filter(({ use }: { use: string }) => use === "session")
        assert.deepInclude(listed, {
          key_id: session.key.keyId,
          parent_key_id: key.key.keyId,
          user_id: key.key.userId,
          name: "Lea",
          is_current: true
        })
        const current = keys.filter(({ is_current }: { is_current: boolean }) => is_current)
        assert.lengthOf(current, 1, "the session, not the key that it came from")
        const { entries } = yield* ok("audit.list", { command_id: "session.start" }, { actor: actor("org_s1") })
        assert.deepStrictEqual(entries[0].actor, {
          kind: "USER",
          user_id: key.key.userId,
          key_id: session.key.keyId
        })
        assert.deepStrictEqual(entries[0].subject, { type: "key", id: session.key.keyId })
      })
    )

    it.effect("end after 12 hours without a request, and after 7 days with any number", () =>
      Effect.gen(function* () {
        const { text } = yield* signedIn("org_s2")
        const idle = yield* signedIn("org_s3")
        yield* hours(11)
        assert.strictEqual(yield* codeOf(text), "ok")
        yield* usedAt(text)
        yield* hours(2)
        assert.strictEqual(yield* codeOf(idle.text), "UNAUTHENTICATED")
        for (let half = 0; half < 13; half++) {
          assert.strictEqual(yield* codeOf(text), "ok", `half a day ${half}`)
          yield* usedAt(text)
          yield* hours(11.9)
        }
        assert.strictEqual(yield* codeOf(text), "ok", "just before")
        yield* usedAt(text)
        yield* hours(3)
        assert.strictEqual(yield* codeOf(text), "UNAUTHENTICATED")
      })
    )

    it.effect("end with their key: revoked, expired, or rotated for as long as the old secret stays valid", () =>
      Effect.gen(function* () {
        const revoked = yield* signedIn("org_s4")
        yield* ok("key.revoke", { key_id: revoked.key.key.keyId }, { actor: revoked.by })
        assert.strictEqual(yield* codeOf(revoked.text), "UNAUTHENTICATED")

        const rotated = yield* signedIn("org_s5")
        yield* rotateKey(rotated.key.key.keyId, 3600)
        assert.strictEqual(yield* codeOf(rotated.text), "ok")
        yield* hours(1)
        assert.strictEqual(yield* codeOf(rotated.text), "UNAUTHENTICATED")

        const replaced = yield* signedIn("org_s6")
        yield* rotateKey(replaced.key.key.keyId, 0)
        assert.strictEqual(yield* codeOf(replaced.text), "UNAUTHENTICATED")

        const until = new Date((yield* Clock.currentTimeMillis) + 2 * 3_600_000).toISOString()
        const expiring = yield* signedIn("org_s7", { expiresAt: until })
        yield* hours(1.9)
        assert.strictEqual(yield* codeOf(expiring.text), "ok")
        yield* hours(0.2)
        assert.strictEqual(yield* codeOf(expiring.text), "UNAUTHENTICATED")
      })
    )

    it.effect("are ended by key.revoke and by signing out, alone", () =>
      Effect.gen(function* () {
        const { by, key, session, text } = yield* signedIn("org_s8")
        const other = yield* (yield* SignIn).withKey(by, key.text)
        yield* ok("key.revoke", { key_id: session.key.keyId }, { actor: by })
        assert.strictEqual(yield* codeOf(text), "UNAUTHENTICATED")
        assert.strictEqual(yield* codeOf(other.text), "ok")
        const { end } = yield* SignIn
        for (const wrong of ["", "x", key.text, text]) yield* end(wrong)
        assert.strictEqual(yield* codeOf(key.text, "authenticate"), "ok")
        yield* end(other.text)
        assert.strictEqual(yield* codeOf(other.text), "UNAUTHENTICATED")
        assert.strictEqual(yield* codeOf(key.text, "authenticate"), "ok")
        const { entries } = yield* ok("audit.list", { command_id: "session.end" }, { actor: by })
        assert.deepStrictEqual(
          entries.map(({ subject }: { subject: { id: string } }) => subject.id),
          [other.key.keyId]
        )
      })
    )

    it.effect("have the policies of their key, also those set later, and none of their own", () =>
      Effect.gen(function* () {
        const { by, key, session, text } = yield* signedIn("org_s9")
        assert.strictEqual(
          yield* code("policy.set", { key_id: session.key.keyId, mutate: "allow" }, { actor: by }),
          "WRONG_STATE"
        )
        yield* ok("policy.set", { key_id: key.key.keyId, mutate: "deny" }, { actor: by })
        const found = yield* authenticated(text, "authenticateSession")
        assert.deepStrictEqual(found.policies?.key, { mutate: "deny" })
        assert.strictEqual(yield* code("key.revoke", { key_id: key.key.keyId }, { actor: found }), "APPROVAL_POLICY")
      })
    )

    it.effect("create nothing that outlives them: no key, no secret, no link", () =>
      Effect.gen(function* () {
        const { key, session, text } = yield* signedIn("org_s10")
        const found = yield* authenticated(text, "authenticateSession")
        const by = { actor: found }
        assert.strictEqual(yield* code("key.create", { name: "x" }, by), "FORBIDDEN_SCOPE")
        assert.strictEqual(yield* code("key.rotate", { key_id: key.key.keyId }, by), "FORBIDDEN_SCOPE")
        assert.strictEqual(yield* code("session.link.create", {}, by), "FORBIDDEN_SCOPE")
        assert.strictEqual(yield* code("session.link.create", { key_id: key.key.keyId }, by), "FORBIDDEN_SCOPE")
        const own = { actor: actor("org_s10") }
        assert.strictEqual(yield* code("key.rotate", { key_id: session.key.keyId }, own), "WRONG_STATE")
        assert.strictEqual(yield* code("session.link.create", { key_id: session.key.keyId }, own), "WRONG_STATE")
      })
    )

    it.effect("cannot approve what was requested with their key, nor with another session of it", () =>
      Effect.gen(function* () {
        const { by, key, text } = yield* signedIn("org_s11")
        const found = yield* authenticated(text, "authenticateSession")
        const second = yield* authenticated((yield* (yield* SignIn).withKey(by, key.text)).text, "authenticateSession")
        const asking = { organization: { mutate: "ask" }, key: {} } as const
        const request = (who: typeof by, name: string) =>
          Effect.map(ask("offer.create", offer(name), { actor: { ...who, policies: asking } }), ({ envelope }) => {
            assert.isTrue(envelope.meta.approval_required, JSON.stringify(envelope))
            return envelope.meta.approval_request_id
          })
        const resolve = (approval_request_id: string, who: typeof by) =>
          code("approval.resolve", { approval_request_id, decision: "approve" }, { actor: who })
        const byKey = yield* request(by, "By key")
        const bySession = yield* request(found, "By session")
        for (const who of [by, found, second]) {
          assert.strictEqual(yield* resolve(byKey, who), "APPROVAL_POLICY")
          assert.strictEqual(yield* resolve(bySession, who), "APPROVAL_POLICY")
        }
        assert.strictEqual(yield* resolve(byKey, actor("org_s11")), "ok")
      })
    )

    it.effect("are never started with the key of an AI agent or a draft-only key, nor is a link", () =>
      Effect.gen(function* () {
        yield* organization("org_s12")
        const { withKey } = yield* SignIn
        const wrong: ReadonlyArray<KeyRequest> = [
          { actorKind: "AI_AGENT" },
          { actorKind: "AI_AGENT", scopes: ["admin"] },
          { mode: "draft_only" }
        ]
        for (const request of wrong) {
          const { key, text } = yield* createKey("org_s12", request)
          const by = yield* authenticated(text, "authenticate")
          assert.strictEqual((yield* Effect.flip(withKey(by, text))).code, "APPROVAL_POLICY")
          assert.strictEqual((yield* Effect.flip(createSignInLink(key.keyId))).code, "APPROVAL_POLICY")
          assert.include(
            ["APPROVAL_POLICY", "FORBIDDEN_SCOPE"],
            yield* code("session.link.create", {}, { actor: { ...by, scopes: ["admin"] } })
          )
          const person = { actor: actor("org_s12") }
          assert.strictEqual(yield* code("session.link.create", { key_id: key.keyId }, person), "APPROVAL_POLICY")
        }
        // A person's key in the hands of an AI agent, as over MCP.
        const { key, text } = yield* createKey("org_s12", {})
        const agent = { ...(yield* authenticated(text, "authenticate")), kind: "AI_AGENT" as const }
        assert.strictEqual((yield* Effect.flip(withKey(agent, text))).code, "APPROVAL_POLICY")
        for (const input of [{}, { key_id: key.keyId }])
          assert.strictEqual(yield* code("session.link.create", input, { actor: agent }), "APPROVAL_POLICY")
        const { keys } = yield* ok("key.list", {}, { actor: actor("org_s12") })
        assert.isTrue(keys.every(({ use }: { use: string }) => use === "key"))
      })
    )

    it.effect("that ended a day ago are deleted by the retention worker, and no others", () =>
      Effect.gen(function* () {
        const { by, key, session } = yield* signedIn("org_s13")
        const { withKey } = yield* SignIn
        const revoked = yield* withKey(by, key.text)
        yield* ok("key.revoke", { key_id: revoked.key.keyId }, { actor: by })
        const of = (who: typeof by) => Effect.map(ok("key.list", {}, { actor: who }), ({ keys }) => keys.length)
        const elsewhere = yield* createKey("org_s13", {})
        yield* ok("key.revoke", { key_id: elsewhere.key.keyId }, { actor: by })
        const { findKey } = yield* Workspaces
        yield* hours(24)
        yield* deleteOldRows("org_s13")
        assert.isDefined(yield* findKey(revoked.key.keyId), "after exactly a day")
        yield* hours(1)
        yield* deleteOldRows("org_s13")
        assert.isUndefined(yield* findKey(revoked.key.keyId))
        assert.isDefined(yield* findKey(session.key.keyId), "it has not ended")
        assert.isDefined(yield* findKey(elsewhere.key.keyId), "a key, not a session")
        assert.strictEqual(yield* codeOf(revoked.text), "UNAUTHENTICATED")
        yield* hours(7 * 24)
        yield* deleteOldRows("org_s13")
        assert.strictEqual(yield* of(by), 3, "what expired is gone as well")
      })
    )
  })
)

eachBackend("sign-in links", (layer) =>
  it.layer(Layer.provideMerge(signInLayer, layer))((it) => {
    it.effect("sign in once, within five minutes, under the same id", () =>
      Effect.gen(function* () {
        const { by, key } = yield* signedIn("org_l1")
        const { withLink } = yield* SignIn
        const link = yield* ok("session.link.create", {}, { actor: by })
        const signIn = linkCode(link.path)
        assert.strictEqual(yield* codeOf(signIn), "UNAUTHENTICATED", "not a cookie")
        assert.strictEqual(yield* codeOf(signIn, "authenticate"), "UNAUTHENTICATED", "not a key")
        const { keys } = yield* ok("key.list", {}, { actor: by })
        assert.deepInclude(
          keys.find(({ key_id }: { key_id: string }) => key_id === link.key_id),
          { use: "link", parent_key_id: key.key.keyId, expires_at: link.expires_at }
        )
        const session = yield* withLink(signIn)
        assert.strictEqual(session.key.keyId, link.key_id)
        assert.notStrictEqual(parseKey(session.text)?.secret, parseKey(signIn)?.secret)
        assert.deepInclude(yield* authenticated(session.text, "authenticateSession"), {
          userId: by.userId,
          keyId: link.key_id,
          parentKeyId: key.key.keyId
        })
        assert.strictEqual((yield* Effect.flip(withLink(signIn))).code, "UNAUTHENTICATED")
        assert.strictEqual(yield* codeOf(session.text), "ok", "a second try does not disturb the first")
        yield* hours(1)
        assert.strictEqual(yield* codeOf(session.text), "ok", "the session outlives the link")

        const late = yield* ok("session.link.create", {}, { actor: by })
        yield* TestClock.adjust("5 minutes")
        assert.strictEqual((yield* Effect.flip(withLink(linkCode(late.path)))).code, "UNAUTHENTICATED")
      })
    )

    it.effect("are refused alike, whatever is wrong: unknown, revoked, or of a key that has ended", () =>
      Effect.gen(function* () {
        const { by, key, text } = yield* signedIn("org_l2")
        const { withLink } = yield* SignIn
        const revoked = yield* ok("session.link.create", {}, { actor: by })
        yield* ok("key.revoke", { key_id: revoked.key_id }, { actor: by })
        const orphan = yield* ok("session.link.create", {}, { actor: by })
        yield* ok("key.revoke", { key_id: key.key.keyId }, { actor: by })
        const messages = new Set<string>()
        for (const wrong of ["", "x", key.text, text, linkCode(revoked.path), linkCode(orphan.path)]) {
          const failure = yield* Effect.flip(withLink(wrong))
          assert.strictEqual(failure.code, "UNAUTHENTICATED", wrong.slice(0, 20))
          messages.add(failure.message)
        }
        assert.lengthOf([...messages], 1)
      })
    )

    it.effect("of a key that is being rotated end with the old secret, which may have asked for them", () =>
      Effect.gen(function* () {
        const { by, key } = yield* signedIn("org_l3")
        yield* rotateKey(key.key.keyId, 3600)
        const { path } = yield* ok("session.link.create", {}, { actor: by })
        const { text } = yield* (yield* SignIn).withLink(linkCode(path))
        assert.strictEqual(yield* codeOf(text), "ok")
        yield* hours(1)
        assert.strictEqual(yield* codeOf(text), "UNAUTHENTICATED")
      })
    )

    it.effect("are shown once: neither a repeated response, a dry run nor any row holds a code or a token", () =>
      Effect.gen(function* () {
        const { by, text } = yield* signedIn("org_l4")
        const call = { actor: by, ...keyed("link-1") }
        const first = yield* ok("session.link.create", {}, call)
        const again = yield* ok("session.link.create", {}, call)
        assert.deepStrictEqual(again, { ...first, path: null })
        const dry = yield* ok(
          "session.link.create",
          {},
          { actor: by, options: { ...call.options, idempotencyKey: undefined, dryRun: true } }
        )
        assert.isNull(dry.path)
        const { text: opened } = yield* (yield* SignIn).withLink(linkCode(first.path))
        const rows = yield* everyRow
        for (const secret of [text, opened, linkCode(first.path)]) {
          assert.match(secret, /^svc_(link|session)_/)
          assert.notInclude(rows, parseKey(secret)?.secret ?? "?")
        }
      })
    )

    it.effect("are for keys of the caller's organization that it could rotate", () =>
      Effect.gen(function* () {
        const mine = yield* signedIn("org_l5")
        const theirs = yield* signedIn("org_l6")
        const link = (key_id: string, who: typeof mine.by) => code("session.link.create", { key_id }, { actor: who })
        assert.strictEqual(yield* link(theirs.key.key.keyId, mine.by), "NOT_FOUND")
        const colleague = yield* createKey("org_l5", { name: "Max" })
        assert.strictEqual(yield* link(colleague.key.keyId, mine.by), "ok")
        const narrow = { ...mine.by, scopes: ["keys:manage"] as const }
        assert.strictEqual(yield* link(colleague.key.keyId, narrow), "FORBIDDEN_SCOPE")
        assert.strictEqual(yield* link(mine.key.key.keyId, narrow), "FORBIDDEN_SCOPE")
        const reviewer = { ...mine.by, scopes: ["linkedin:approve"] as const }
        assert.strictEqual(yield* code("session.link.create", {}, { actor: reviewer }), "FORBIDDEN_SCOPE")
        assert.strictEqual(
          yield* code("session.link.create", {}, { actor: { ...mine.by, keyId: null } }),
          "WRONG_STATE"
        )
      })
    )
  })
)
