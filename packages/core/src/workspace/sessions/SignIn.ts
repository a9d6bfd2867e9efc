/**
 * Signing people in to the review page. A browser gets the text of a session's key as a cookie; only its hash is stored. Every
 * sign-in and sign-out has an audit row.
 */

import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type ActorIdentity, orNotFound } from "../../kernel/command/Execution.ts"
import type { Failure } from "../../kernel/failure/Failure.ts"
import { Unauthenticated, WrongState } from "../../kernel/failure/failures.ts"
import { type Journal, Transaction } from "../../kernel/journal/Journal.ts"
import { type Ids, isoFromMillis, type KeyId, now } from "../../kernel/schema/IdsAndTime.ts"
import * as ApiKey from "../organizations/ApiKey.ts"
import { asOperator } from "../organizations/asOperator.ts"
import { type IssuedKey, issueKey, lockKey, recordKeyChange, revokeLockedKey } from "../organizations/Provisioning.ts"
import { Workspaces } from "../Workspaces.ts"
import { type Identity, type Membership, membershipsOf, personKey, type Right, requirePerson } from "./Identity.ts"

/**
 * A session of a key, or a link to one, not stored yet. It ends with the parent's secret of this hash; `keyId` is that of the
 * link that becomes a session.
 */
const issueSession = Effect.fnUntraced(function* (
  parent: ApiKey.ApiKey,
  parentSecretHash: string,
  state: ApiKey.KeySession["state"],
  keyId?: KeyId
) {
  const { name, organizationId, scopes, userId } = parent
  const [environment, millis] = state === "link" ? ["link", ApiKey.linkMillis] : ["session", ApiKey.sessionMillis]
  const expiresAt = isoFromMillis((yield* Clock.currentTimeMillis) + millis)
  const text = ApiKey.generateKey(keyId, environment)
  const { key } = yield* issueKey(organizationId, userId, { name, scopes, expiresAt }, text)
  const session: ApiKey.KeySession = { state, parentKeyId: parent.keyId, parentSecretHash }
  return { key: { ...key, session }, text }
})

/** Who is signed in. */
interface SignedIn {
  /** The name of the organization. */
  readonly organization: string
  /** The name of the key; the user's id in a host that authenticates its users itself. */
  readonly name: string
  readonly scopes: ActorIdentity["scopes"]
  /** When the session or key ends; null for never. */
  readonly expires_at: string | null
}

/** Starts and ends sessions. Fails with UNAVAILABLE when the store is unreachable. */
export class SignIn extends Context.Service<
  SignIn,
  {
    /**
     * Starts a session of the key that an actor presented. Fails with APPROVAL_POLICY unless it is a person's with full
     * rights.
     */
    readonly withKey: (actor: ActorIdentity, keyText: string) => Effect.Effect<IssuedKey, Failure>
    /** Starts a session with the code of a link, once. Fails with UNAUTHENTICATED. */
    readonly withLink: (code: string) => Effect.Effect<IssuedKey, Failure>
    /** The organizations that rights give a person access to; those that do not exist are left out. */
    readonly membershipsOf: (
      rights: ReadonlyArray<Right>
    ) => Effect.Effect<ReadonlyArray<Membership & { readonly name: string }>, Failure>
    /**
     * Starts a session of a person whom an identity provider vouches for. Fails with UNAUTHENTICATED if their access was
     * revoked here.
     */
    readonly withIdentity: (identity: Identity, membership: Membership) => Effect.Effect<IssuedKey, Failure>
    /** Ends the session with this token; any other text changes nothing. */
    readonly end: (token: string) => Effect.Effect<void, Failure>
    readonly describe: (actor: ActorIdentity) => Effect.Effect<SignedIn, Failure>
  }
>()("@svc/core/workspace/SignIn") {}

const badLink = () =>
  new Unauthenticated({
    message: "This link was used already, or has expired. Create another with svc open, or sign in with an API key."
  })

/** The service over the stores. */
export const layer: Layer.Layer<SignIn, never, Workspaces | Journal | Transaction | Ids> = Layer.effect(
  SignIn,
  Effect.gen(function* () {
    const workspaces = yield* Workspaces
    const transaction = yield* Transaction
    const services = yield* Effect.context<Workspaces | Ids | Journal>()

    /** Runs a change of a session in a transaction that also writes its audit row. */
    const audited = (commandId: string, change: Effect.Effect<IssuedKey, Failure, Workspaces | Ids>) =>
      transaction
        .run(Effect.tap(change, ({ key }) => recordKeyChange({ key, commandId })))
        .pipe(Effect.provideContext(services))

    const opened = Effect.fnUntraced(function* (code: string) {
      const parsed = ApiKey.parseKey(code)
      const found = parsed && (yield* workspaces.findKey(parsed.keyId))
      if (parsed === undefined || found?.session === undefined) return yield* badLink()
      // Locked, so that of two browsers with the same link the second one finds it used.
      const link = yield* workspaces.holdKey(found.organizationId, found.keyId)
      const at = yield* now
      if (link?.session === undefined || ApiKey.refusalOfKey(link, parsed.secret, at, "link") !== undefined) {
        return yield* badLink()
      }
      const parent = yield* workspaces.findKey(link.session.parentKeyId)
      if (parent === undefined || ApiKey.actorOfSession(link, parent, at) === undefined) return yield* badLink()
      const { key, text } = yield* issueSession(parent, link.session.parentSecretHash, "open", link.keyId)
      yield* workspaces.updateKey(key)
      return { key, text }
    })

    return SignIn.of({
      withKey: (actor, keyText) =>
        audited(
          "session.start",
          Effect.gen(function* () {
            yield* requirePerson(actor)
            const parent = yield* lockKey(actor.organizationId, actor.keyId ?? "")
            const issued = yield* issueSession(parent, ApiKey.hashOfKey(keyText), "open")
            yield* workspaces.createKey(issued.key)
            return issued
          })
        ),
      withLink: (code) => audited("session.start", opened(code)),
      membershipsOf: (rights) => Effect.provideContext(membershipsOf(rights), services),
      withIdentity: (identity, membership) =>
        audited(
          "session.start",
          Effect.gen(function* () {
            const parent = yield* personKey(identity, membership)
            const secret = parent.secrets.find(({ validUntil }) => validUntil === null)
            const issued = yield* issueSession(parent, secret?.hash ?? "", "open")
            yield* workspaces.createKey(issued.key)
            return issued
          })
        ),
      end: (token) =>
        Effect.gen(function* () {
          const parsed = ApiKey.parseKey(token)
          const found = parsed && (yield* workspaces.findKey(parsed.keyId))
          if (parsed === undefined || ApiKey.refusalOfKey(found, parsed.secret, yield* now, "session") !== undefined)
            return
          const { keyId, organizationId } = found as ApiKey.ApiKey
          yield* audited(
            "session.end",
            Effect.map(Effect.flatMap(lockKey(organizationId, keyId), revokeLockedKey), (key) => ({ key, text: "" }))
          )
        }),
      describe: Effect.fnUntraced(function* ({ keyId, organizationId, scopes, userId }) {
        const organization = yield* workspaces.findOrganization(organizationId)
        const key = keyId === null ? undefined : yield* workspaces.findKey(keyId)
        return {
          organization: organization?.name ?? "",
          name: key?.name ?? userId,
          scopes,
          expires_at: key?.session === undefined ? (key?.expiresAt ?? null) : ApiKey.sessionEnd(key)
        }
      })
    })
  })
)

/**
 * Stores a link for a person's key, and returns its path below the URL of the service. The code is in the fragment, which
 * browsers send to no server. Fails with APPROVAL_POLICY for any other key, and with WRONG_STATE for a session or a key that has
 * ended.
 */
export const createLink = Effect.fnUntraced(function* (parent: ApiKey.ApiKey) {
  yield* requirePerson({ kind: parent.actorKind, mode: parent.mode })
  const at = yield* now
  const secret = ApiKey.firstToExpire(parent, at)
  const hasEnded = parent.revokedAt !== null || (parent.expiresAt !== null && parent.expiresAt <= at)
  if (parent.session !== undefined || secret === undefined || hasEnded) {
    return yield* new WrongState({ message: "The key is a session, was revoked or has expired. Use another key." })
  }
  const { key, text } = yield* issueSession(parent, secret.hash, "link")
  yield* (yield* Workspaces).createKey(key)
  return { key, path: `/review#link=${text}` }
})

/**
 * Creates a one-time link for a person's key as an operator, and returns its path below the URL of the service. Fails with
 * NOT_FOUND, APPROVAL_POLICY or WRONG_STATE.
 */
export const createSignInLink = Effect.fnUntraced(function* (keyId: KeyId) {
  const workspaces = yield* Workspaces
  const { organizationId } = yield* orNotFound("key", keyId, workspaces.findKey(keyId))
  return yield* asOperator(
    { organizationId, operation: "operator.session.link.create", input: { keyId }, subject: null },
    Effect.map(Effect.flatMap(lockKey(organizationId, keyId), createLink), ({ key, path }) => ({
      result: path,
      subject: { type: "key", id: key.keyId }
    }))
  )
})
