/**
 * Grants of clients: a person's consent becomes a code, the code becomes tokens, and a refresh token becomes new ones, each once.
 *
 * Every step reads the grant under its row lock, so of two requests with the same code or refresh token one comes second. A code
 * or refresh token that comes a second time was copied: it revokes the grant with all its tokens. The refresh token that was used
 * last may come again for 30 seconds and gives what it gave, since the first response may have been lost.
 */

import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { ActorIdentity } from "../../kernel/command/Execution.ts"
import type { ActorMode, Scope } from "../../kernel/command/Permission.ts"
import { hasScope } from "../../kernel/command/Policy.ts"
import type { Failure } from "../../kernel/failure/Failure.ts"
import { ApprovalPolicy, ForbiddenScope, InvalidInput } from "../../kernel/failure/failures.ts"
import { type Journal, Transaction } from "../../kernel/journal/Journal.ts"
import { constantTimeEqual } from "../../kernel/schema/Hash.ts"
import { type Ids, isoFromMillis, now } from "../../kernel/schema/IdsAndTime.ts"
import { CursorSecret } from "../../kernel/schema/Page.ts"
import * as ApiKey from "../organizations/ApiKey.ts"
import { issueKey, recordKeyChange, revokeLockedKey } from "../organizations/Provisioning.ts"
import { requirePerson } from "../sessions/Identity.ts"
import { Workspaces } from "../Workspaces.ts"
import * as Tokens from "./tokens.ts"

/** Why a client gets no tokens, as RFC 6749, section 5.2 and RFC 8707 name it. `message` is for the client's developer. */
export class GrantRefused extends Data.TaggedError("GrantRefused")<{
  readonly error: "invalid_grant" | "invalid_scope" | "invalid_target"
  readonly message: string
}> {}

/** What a person consents to. */
export interface Consent extends Pick<ApiKey.ClientGrant, "challenge" | "clientId" | "redirectUri" | "resource"> {
  /** The client's name, which lists of keys show. */
  readonly name: string
  readonly scopes: ReadonlyArray<Scope>
  readonly mode: ActorMode
}

/** What a client sends to get tokens. */
interface TokenRequest {
  readonly clientId: string
  /** The resource that it wants to use, if it says. */
  readonly resource: string | undefined
}

/** A code with what proves that its client asked for it. */
interface CodeRequest extends TokenRequest {
  readonly code: string
  readonly redirectUri: string
  /** SHA-256 of the code verifier, in base64url. */
  readonly challenge: string
}

/** A refresh token, and the scopes to keep, if the client says. */
interface RefreshRequest extends TokenRequest {
  readonly refreshToken: string
  readonly scopes: ReadonlyArray<string>
}

/** The grants of clients. Each method fails with UNAVAILABLE when the store is unreachable. */
export class Grants extends Context.Service<
  Grants,
  {
    /**
     * Stores what a person, signed in to the review page, consents to, and returns the code for the client. Fails with
     * APPROVAL_POLICY for any other actor, FORBIDDEN_SCOPE for a scope that the person lacks, and INVALID_INPUT without scopes.
     */
    readonly consent: (actor: ActorIdentity, consent: Consent) => Effect.Effect<string, Failure>
    /** The tokens for a code, once. */
    readonly exchange: (request: CodeRequest) => Effect.Effect<Tokens.Tokens, Failure | GrantRefused>
    /** New tokens for a refresh token, once. */
    readonly refresh: (request: RefreshRequest) => Effect.Effect<Tokens.Tokens, Failure | GrantRefused>
    /** Revokes the grant of an access or refresh token that a client presents; any other text changes nothing. */
    readonly revoke: (token: string, clientId: string) => Effect.Effect<void, Failure>
  }
>()("@svc/core/workspace/Grants") {}

const refused = (message: string, error: GrantRefused["error"] = "invalid_grant") =>
  new GrantRefused({ error, message })

const badCode = () => refused("The code is unknown, was used already or has expired. Start signing in again.")

const badRefresh = () =>
  refused("The refresh token is unknown, was used already, has expired or was revoked. Sign in again.")

const badTarget = () =>
  refused("The token is for another resource. Send the one that it was issued for.", "invalid_target")

/** The service over the stores. */
export const layer: Layer.Layer<Grants, never, Workspaces | Journal | Transaction | Ids | CursorSecret> = Layer.effect(
  Grants,
  Effect.gen(function* () {
    const workspaces = yield* Workspaces
    const transaction = yield* Transaction
    const deploymentSecret = yield* CursorSecret
    const services = yield* Effect.context<Workspaces | Ids | Journal>()

    /** Runs a step in one transaction. What it refuses is a result, so that a refusal may revoke. */
    const settled = <A>(step: Effect.Effect<A | GrantRefused, Failure, Workspaces | Ids | Journal>) =>
      transaction.run(step).pipe(
        Effect.provideContext(services),
        Effect.flatMap((result) => (result instanceof GrantRefused ? Effect.fail(result) : Effect.succeed(result)))
      )

    /** The grant that a text names, locked until the transaction ends. */
    const locked = Effect.fnUntraced(function* (text: string) {
      const parsed = ApiKey.parseKey(text)
      const found = parsed && (yield* workspaces.findKey(parsed.keyId))
      if (parsed === undefined || found === undefined || Tokens.grantOf(found) === undefined) return undefined
      const key = yield* workspaces.holdKey(found.organizationId, found.keyId)
      const grant = key && Tokens.grantOf(key)
      return key === undefined || grant === undefined ? undefined : { grant, key, secret: parsed.secret }
    })

    const revoke = Effect.fnUntraced(function* (key: ApiKey.ApiKey, reason: Tokens.RevokeReason) {
      yield* revokeLockedKey(key)
      const events = Tokens.revokedEvents(key, reason)
      if (events.length > 0) yield* recordKeyChange({ key, actorKind: "AI_AGENT", commandId: "grant.revoke", events })
    })

    /** Whether neither a grant nor its parent has ended. */
    const isAlive = Effect.fnUntraced(function* (key: ApiKey.ApiKey) {
      const at = yield* now
      if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= at)) return false
      return Tokens.actorOfGrant(key, yield* workspaces.findKey(key.session?.parentKeyId ?? ""), at) !== undefined
    })

    const issued = Effect.fnUntraced(function* (
      key: ApiKey.ApiKey,
      grant: ApiKey.ClientGrant,
      family?: string,
      secrets?: Tokens.Secrets
    ) {
      const made = Tokens.issueTokens(key, grant, yield* now, family, secrets)
      yield* workspaces.updateKey(made.key)
      return made.tokens
    })

    const consent = Effect.fnUntraced(function* (actor: ActorIdentity, { mode, name, scopes, ...asked }: Consent) {
      const session = actor.keyId === null ? undefined : (yield* workspaces.findKey(actor.keyId))?.session
      if (session?.state !== "open") {
        return yield* new ApprovalPolicy({
          message: "Only a person who is signed in to the review page can allow this."
        })
      }
      const text = ApiKey.generateKey(undefined, "code")
      const expiresAt = isoFromMillis(Date.parse(yield* now) + Tokens.codeMillis)
      const request = { name, scopes, mode, actorKind: "AI_AGENT", expiresAt } as const
      const { key } = yield* issueKey(actor.organizationId, actor.userId, request, text)
      const grant: ApiKey.ClientGrant = { ...asked, codeHash: ApiKey.hashOfKey(text) }
      yield* workspaces.createKey({ ...key, session: { ...session, state: "code", grant } })
      const data = { parent_key_id: session.parentKeyId, mode, scopes }
      const events = [{ type: "grant.created", subject: { type: "key", id: key.keyId }, data }] as const
      yield* recordKeyChange({ key, commandId: "grant.create", events })
      return text
    })

    return Grants.of({
      consent: Effect.fnUntraced(function* (actor, given) {
        yield* requirePerson(actor)
        const lacking = given.scopes.filter((scope) => !hasScope(actor, scope))
        if (lacking.length > 0) {
          return yield* new ForbiddenScope({ message: `You don't have these scopes yourself: ${lacking.join(", ")}.` })
        }
        if (given.scopes.length === 0) return yield* new InvalidInput({ message: "Choose at least one scope." })
        return yield* transaction.run(consent(actor, given)).pipe(Effect.provideContext(services))
      }),
      exchange: ({ challenge, clientId, code, redirectUri, resource }) =>
        settled(
          Effect.gen(function* () {
            const found = yield* locked(code)
            if (found === undefined || !constantTimeEqual(found.grant.codeHash, ApiKey.hashSecret(found.secret)))
              return badCode()
            const { grant, key } = found
            const isTarget = resource === undefined || resource === grant.resource
            const isOwn =
              grant.clientId === clientId && grant.redirectUri === redirectUri && grant.challenge === challenge
            if (key.session?.state !== "code" || !isOwn || !isTarget) {
              // One attempt: a code that comes again, or from somebody who did not ask for it, was copied.
              yield* revoke(key, "code_reused")
              return isTarget ? badCode() : badTarget()
            }
            if (!(yield* isAlive(key))) return badCode()
            const tokens = yield* issued(key, grant)
            yield* recordKeyChange({ key, actorKind: "AI_AGENT", commandId: "grant.exchange" })
            return tokens
          })
        ),
      refresh: Effect.fnUntraced(function* ({ clientId, refreshToken, resource, scopes }) {
        const token = Tokens.parseRefreshToken(refreshToken)
        if (token === undefined) return yield* badRefresh()
        return yield* settled(
          Effect.gen(function* () {
            const found = yield* locked(token.family)
            const { hash, familyHash, replaced } = found?.grant.refresh ?? {}
            if (found === undefined || familyHash === undefined || hash === undefined) return badRefresh()
            const { grant, key } = found
            if (!constantTimeEqual(familyHash, ApiKey.hashSecret(found.secret))) return badRefresh()
            const presented = ApiKey.hashSecret(token.secret)
            const secrets = Tokens.successorsOf(deploymentSecret, token.secret)
            const isRetry =
              replaced !== undefined &&
              constantTimeEqual(replaced.hash, presented) &&
              (yield* now) < replaced.retryUntil &&
              constantTimeEqual(hash, ApiKey.hashSecret(secrets.refresh))
            if (!(isRetry || constantTimeEqual(hash, presented)) || grant.clientId !== clientId) {
              yield* revoke(key, "refresh_token_reused")
              return badRefresh()
            }
            if (!(yield* isAlive(key))) return badRefresh()
            if (resource !== undefined && resource !== grant.resource) return badTarget()
            const more = scopes.filter((scope) => !key.scopes.some((granted) => granted === scope))
            if (more.length > 0)
              return refused("The grant does not have all these scopes. Sign in again.", "invalid_scope")
            return isRetry
              ? Tokens.tokensOf(key, token.family, secrets)
              : yield* issued(key, grant, token.family, secrets)
          })
        )
      }),
      revoke: (text, clientId) =>
        Effect.gen(function* () {
          const token = Tokens.parseRefreshToken(text)
          const found = yield* locked(token?.family ?? text)
          if (found === undefined || found.grant.clientId !== clientId) return
          const { grant, key, secret } = found
          const isKnown =
            token === undefined
              ? ApiKey.refusalOfKey(key, secret, yield* now, "token") === undefined
              : grant.refresh?.familyHash === ApiKey.hashSecret(secret)
          if (isKnown) yield* revoke(key, "client")
        }).pipe(transaction.run, Effect.provideContext(services))
    })
  })
)

// Reads what a client says about itself at the URL that is its id: the port.
//
// An implementation checks the resolved address before it connects, as for webhooks, follows no redirects, reads a few kilobytes
// and always ends within its time limit.

/** A document, or why there is none. The reason is for people and names no address. */
export type ClientDocument =
  | {
      readonly _tag: "Found"
      readonly body: string
      /** Seconds for which it may be kept; undefined if its server does not say. */
      readonly maxAge: number | undefined
    }
  | { readonly _tag: "Missing"; readonly reason: string }

/** Reads documents. Never fails. */
export class ClientDocuments extends Context.Service<
  ClientDocuments,
  { readonly read: (url: string) => Effect.Effect<ClientDocument> }
>()("@svc/core/workspace/ClientDocuments") {}
