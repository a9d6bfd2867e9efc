/**
 * Making organizations and keys: what `svc orgs create`, `svc keys …` and a first start do.
 *
 * The text of a key is answered once and never stored. What operators do is in the audit of the organization. Source: contract 1.8 and 2; gap decisions G36 and G37.
 */
import * as Effect from "effect/Effect"
import type { ActorKind, ActorMode } from "../Actor.ts"
import type { Subject } from "../Event.ts"
import { type Failure, fail, notFound } from "../Failure.ts"
import { Ids } from "../Ids.ts"
import { type Scope, scopeBundles, scopes } from "../Policy.ts"
import { isoFromMillis, now } from "../Time.ts"
import { type ApiKey, generateKey, hashSecret, parseKey } from "./ApiKey.ts"
import { asOperator, type OperatorNeeds } from "./asOperator.ts"
import { type Organization, Workspaces } from "./Workspaces.ts"

/** What a new key is asked to be. Scopes default to all, for an AI agent to those of a drafter. */
export interface KeyRequest {
  readonly name?: string | undefined
  readonly scopes?: ReadonlyArray<Scope> | undefined
  readonly mode?: ActorMode | undefined
  readonly actorKind?: ActorKind | undefined
  readonly expiresAt?: string | undefined
}

/** A key's row with its text. The text must reach nobody but the caller. */
export interface IssuedKey {
  readonly key: ApiKey
  readonly text: string
}

/** A new key, not stored yet. Fails with INVALID_INPUT when a text is given that is no key. */
export const issueKey = Effect.fnUntraced(function* (
  organizationId: string,
  userId: string,
  request: KeyRequest,
  text: string = generateKey()
): Effect.fn.Return<IssuedKey, Failure> {
  const parsed = parseKey(text)
  if (parsed === undefined) {
    return yield* fail("INVALID_INPUT", "The key is not well-formed. Make one with svc keys generate.")
  }
  const actorKind = request.actorKind ?? "USER"
  const key: ApiKey = {
    keyId: parsed.keyId,
    organizationId,
    name: request.name ?? "key",
    userId,
    actorKind,
    mode: request.mode ?? "full",
    scopes: request.scopes ?? (actorKind === "AI_AGENT" ? scopeBundles.drafter : scopeBundles.full),
    secrets: [{ hash: hashSecret(parsed.secret), validUntil: null }],
    createdAt: yield* now,
    expiresAt: request.expiresAt ?? null,
    revokedAt: null,
    lastUsedAt: null
  }
  return { key, text }
})

/** An organization that was made, with its first key. */
export interface NewOrganization extends IssuedKey {
  readonly organization: Organization
}

const prepare = Effect.fnUntraced(function* (
  name: string,
  text?: string
): Effect.fn.Return<NewOrganization, Failure, Ids> {
  const ids = yield* Ids
  const organization: Organization = { id: yield* ids.next("org"), name, createdAt: yield* now }
  const issued = yield* issueKey(organization.id, yield* ids.next("usr"), { name: "first key" }, text)
  return { organization, ...issued }
})

/** What operators' changes of organizations and keys need. */
type Needs = OperatorNeeds | Workspaces

const keyOf = ({ keyId }: ApiKey): Subject => ({ type: "key", id: keyId })

/** Makes an organization with a key of a person that holds every scope. */
export const createOrganization = Effect.fnUntraced(function* (
  name: string
): Effect.fn.Return<NewOrganization, Failure, Needs> {
  const made = yield* prepare(name)
  const workspaces = yield* Workspaces
  const { organization } = made
  const subject = { type: "organization", id: organization.id }
  return yield* asOperator(
    { organizationId: organization.id, operation: "operator.orgs.create", input: { name }, subject },
    Effect.as(workspaces.createOrganization(organization, made.key), { answer: made })
  )
})

/** Makes the first organization with a given key, unless there is an organization: answers undefined then. */
export const bootstrap = Effect.fnUntraced(function* (
  name: string,
  text?: string
): Effect.fn.Return<NewOrganization | undefined, Failure, Ids | Workspaces> {
  const made = yield* prepare(name, text)
  const done = yield* (yield* Workspaces).createFirstOrganization(made.organization, made.key)
  return done ? made : undefined
})

/** The organization that was made first; one is made when there is none. */
export const oldestOrCreated = Effect.fnUntraced(function* (
  name: string
): Effect.fn.Return<Organization, Failure, Ids | Workspaces> {
  const workspaces = yield* Workspaces
  const oldest = yield* workspaces.oldestOrganization
  if (oldest !== undefined) return oldest
  const made = yield* bootstrap(name)
  if (made !== undefined) return made.organization
  // Somebody else made the first one meanwhile.
  return (yield* workspaces.oldestOrganization) ?? (yield* Effect.die("the first organization is gone"))
})

/** Makes a key for an organization. Fails with NOT_FOUND. */
export const createKey = Effect.fnUntraced(function* (
  organizationId: string,
  request: KeyRequest
): Effect.fn.Return<IssuedKey, Failure, Needs> {
  const workspaces = yield* Workspaces
  if ((yield* workspaces.findOrganization(organizationId)) === undefined) {
    return yield* notFound("organization", organizationId)
  }
  const issued = yield* issueKey(organizationId, yield* (yield* Ids).next("usr"), request)
  return yield* asOperator(
    { organizationId, operation: "operator.keys.create", input: request, subject: keyOf(issued.key) },
    Effect.as(workspaces.createKey(issued.key), { answer: issued })
  )
})

const existing = Effect.fnUntraced(function* (keyId: string): Effect.fn.Return<ApiKey, Failure, Workspaces> {
  return (yield* (yield* Workspaces).findKey(keyId)) ?? (yield* notFound("key", keyId))
})

/** The key with a new secret as well; the secrets that hold now hold until an instant. Not stored yet. */
export const rotated = (key: ApiKey, at: string, until: string): IssuedKey => {
  const text = generateKey(key.keyId)
  const old = key.secrets
    .filter(({ validUntil }) => validUntil === null || validUntil > at)
    .map((secret) => ({ ...secret, validUntil: [secret.validUntil ?? until, until].sort()[0] ?? until }))
  const secrets = [...old, { hash: hashSecret(parseKey(text)?.secret ?? ""), validUntil: null }]
  return { key: { ...key, secrets }, text }
}

/** Holds a key that was found, within the transaction that changes it. */
const held = Effect.fnUntraced(function* ({
  keyId,
  organizationId
}: ApiKey): Effect.fn.Return<ApiKey, Failure, Workspaces> {
  return (yield* (yield* Workspaces).holdKey(organizationId, keyId)) ?? (yield* notFound("key", keyId))
})

/** Gives a key a new secret; the old ones hold for `overlapSeconds` more. Fails with NOT_FOUND, WRONG_STATE. */
export const rotateKey = Effect.fnUntraced(function* (
  keyId: string,
  overlapSeconds: number
): Effect.fn.Return<IssuedKey, Failure, Needs> {
  const found = yield* existing(keyId)
  const { organizationId } = found
  const subject = keyOf(found)
  return yield* asOperator(
    { organizationId, operation: "operator.keys.rotate", input: { keyId, overlapSeconds }, subject },
    Effect.gen(function* () {
      const key = yield* held(found)
      if (key.revokedAt !== null) {
        return yield* fail("WRONG_STATE", "A revoked key cannot be rotated. Create a new key.")
      }
      const at = yield* now
      const until = isoFromMillis(Date.parse(at) + overlapSeconds * 1000)
      const fresh = rotated(key, at, until)
      yield* (yield* Workspaces).updateKey(fresh.key)
      return { answer: fresh, events: [{ type: "key.rotated", subject, data: { old_secret_valid_until: until } }] }
    })
  )
})

/** Ends a key at once. Ending it twice is fine. Fails with NOT_FOUND. */
export const revokeKey = Effect.fnUntraced(function* (keyId: string): Effect.fn.Return<ApiKey, Failure, Needs> {
  const found = yield* existing(keyId)
  const { organizationId } = found
  return yield* asOperator(
    { organizationId, operation: "operator.keys.revoke", input: { keyId }, subject: keyOf(found) },
    Effect.gen(function* () {
      const key = yield* held(found)
      if (key.revokedAt !== null) return { answer: key }
      const revoked = { ...key, revokedAt: yield* now }
      yield* (yield* Workspaces).updateKey(revoked)
      return { answer: revoked }
    })
  )
})

/** Reads a list of scopes and bundle names, separated by commas. Fails with INVALID_INPUT naming the known ones. */
export const parseScopes = (list: string): Effect.Effect<ReadonlyArray<Scope>, Failure> => {
  const found = new Set<Scope>()
  for (const name of list.split(",").map((part) => part.trim())) {
    const scope = scopes.find((known) => known === name)
    const bundle = Object.entries(scopeBundles).find(([known]) => known === name)?.[1]
    if (scope !== undefined) found.add(scope)
    else if (bundle !== undefined) for (const one of bundle) found.add(one)
    else {
      const known = [...Object.keys(scopeBundles), ...scopes].join(", ")
      return Effect.fail(fail("INVALID_INPUT", `scopes: unknown scope. Known are ${known}.`))
    }
  }
  return Effect.succeed([...found])
}
