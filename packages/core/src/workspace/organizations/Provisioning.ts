/**
 * Creating organizations and keys, for `svc orgs create`, `svc keys …` and the first start.
 *
 * The text of a key is returned once and never stored. Operators' changes are in the organization's audit log.
 */

import * as Effect from "effect/Effect"
import type { ActorKind, ActorMode } from "../../kernel/command/Actor.ts"
import { type Scope, scopeBundles, scopes } from "../../kernel/command/Permission.ts"
import type { Failure } from "../../kernel/failure/Failure.ts"
import { InvalidInput, type StoreFailure } from "../../kernel/failure/failures.ts"
import { orNotFound } from "../../kernel/failure/orNotFound.ts"
import type { Subject } from "../../kernel/journal/Event.ts"
import { Ids } from "../../kernel/schema/Ids.ts"
import type { InstantText, KeyId, OrganizationId, UserId } from "../../kernel/schema/RecordIds.ts"
import { now } from "../../kernel/schema/Time.ts"
import { revokedEvents } from "../authorization/grantLife.ts"
import { type Organization, Workspaces } from "../Workspaces.ts"
import { type ApiKey, generateKey, hashSecret, parseKey } from "./ApiKey.ts"
import { asOperator, type OperatorNeeds } from "./asOperator.ts"
import { lockKey, revokeLockedKey, rotateLockedKey } from "./changeKey.ts"

/** The properties of a new key. Scopes default to all; for an AI agent, to those for drafting. */
export interface KeyRequest {
  readonly name?: string | undefined
  readonly scopes?: ReadonlyArray<Scope> | undefined
  readonly mode?: ActorMode | undefined
  readonly actorKind?: ActorKind | undefined
  readonly expiresAt?: InstantText | undefined
  /** The user that the key acts for; default a new one. */
  readonly userId?: UserId | undefined
}

/** A stored key with its text, which only the caller may see. */
export interface IssuedKey {
  readonly key: ApiKey
  readonly text: string
}

/** A new key, not stored yet. Fails with INVALID_INPUT if `text` is not a valid key. */
export const issueKey = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  userId: UserId,
  request: KeyRequest,
  text: string = generateKey()
): Effect.fn.Return<IssuedKey, InvalidInput> {
  const parsed = parseKey(text)
  if (parsed === undefined) {
    return yield* new InvalidInput({ message: "The key is not valid. Create one with svc keys generate." })
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

/** A new organization with its first key. */
export interface NewOrganization extends IssuedKey {
  readonly organization: Organization
}

const prepare = Effect.fnUntraced(function* (
  name: string,
  text?: string
): Effect.fn.Return<NewOrganization, InvalidInput, Ids> {
  const ids = yield* Ids
  const organization: Organization = { id: yield* ids.next("org"), name, externalId: null, createdAt: yield* now }
  const issued = yield* issueKey(organization.id, yield* ids.next("usr"), { name: "first key" }, text)
  return { organization, ...issued }
})

/** The services that operators' changes need. */
type Needs = OperatorNeeds | Workspaces

const keyOf = ({ keyId }: ApiKey): Subject => ({ type: "key", id: keyId })

/** Creates an organization, with a person's key that has every scope. */
export const createOrganization = Effect.fnUntraced(function* (
  name: string
): Effect.fn.Return<NewOrganization, Failure, Needs> {
  const made = yield* prepare(name)
  const workspaces = yield* Workspaces
  const { organization } = made
  const subject = { type: "organization", id: organization.id }
  return yield* asOperator(
    { organizationId: organization.id, operation: "operator.orgs.create", input: { name }, subject },
    Effect.as(workspaces.createOrganization(organization, made.key), { result: made })
  )
})

/** Creates the first organization, with the given key; returns undefined if there is an organization already. */
export const bootstrap = Effect.fnUntraced(function* (
  name: string,
  text?: string
): Effect.fn.Return<NewOrganization | undefined, StoreFailure | InvalidInput, Ids | Workspaces> {
  const made = yield* prepare(name, text)
  const done = yield* (yield* Workspaces).createFirstOrganization(made.organization, made.key)
  return done ? made : undefined
})

/** The oldest organization, created if there is none. */
export const ensureOrganization = Effect.fnUntraced(function* (
  name: string
): Effect.fn.Return<Organization, StoreFailure | InvalidInput, Ids | Workspaces> {
  const workspaces = yield* Workspaces
  const oldest = yield* workspaces.oldestOrganization
  if (oldest !== undefined) return oldest
  const made = yield* bootstrap(name)
  if (made !== undefined) return made.organization
  // Another process created the first one in the meantime.
  return (yield* workspaces.oldestOrganization) ?? (yield* Effect.die("the first organization is gone"))
})

/** Creates a key for an organization. Fails with NOT_FOUND. */
export const createKey = Effect.fnUntraced(function* (
  organizationId: OrganizationId,
  request: KeyRequest
): Effect.fn.Return<IssuedKey, Failure, Needs> {
  const workspaces = yield* Workspaces
  yield* orNotFound("organization", organizationId, workspaces.findOrganization(organizationId))
  const issued = yield* issueKey(organizationId, request.userId || (yield* (yield* Ids).next("usr")), request)
  return yield* asOperator(
    { organizationId, operation: "operator.keys.create", input: request, subject: keyOf(issued.key) },
    Effect.as(workspaces.createKey(issued.key), { result: issued })
  )
})

const findKey = (keyId: KeyId) =>
  Effect.flatMap(Workspaces, (workspaces) => orNotFound("key", keyId, workspaces.findKey(keyId)))

/** Adds a secret to a key; the old ones stay valid for `overlapSeconds`. Fails with NOT_FOUND and WRONG_STATE. */
export const rotateKey = Effect.fnUntraced(function* (
  keyId: KeyId,
  overlapSeconds: number
): Effect.fn.Return<IssuedKey, Failure, Needs> {
  const found = yield* findKey(keyId)
  const { organizationId } = found
  return yield* asOperator(
    { organizationId, operation: "operator.keys.rotate", input: { keyId, overlapSeconds }, subject: keyOf(found) },
    Effect.gen(function* () {
      const { event, issued } = yield* rotateLockedKey(yield* lockKey(organizationId, keyId), overlapSeconds)
      return { result: issued, events: [event] }
    })
  )
})

/** Revokes a key; revoking it again changes nothing. Fails with NOT_FOUND. */
export const revokeKey = Effect.fnUntraced(function* (keyId: KeyId): Effect.fn.Return<ApiKey, Failure, Needs> {
  const found = yield* findKey(keyId)
  const { organizationId } = found
  return yield* asOperator(
    { organizationId, operation: "operator.keys.revoke", input: { keyId }, subject: keyOf(found) },
    Effect.flatMap(lockKey(organizationId, keyId), (key) =>
      Effect.map(revokeLockedKey(key), (result) => ({ result, events: revokedEvents(key, "revoked") }))
    )
  )
})

/** Parses scopes and bundle names separated by commas. Fails with INVALID_INPUT, listing the known ones. */
export const parseScopes = (list: string): Effect.Effect<ReadonlyArray<Scope>, InvalidInput> => {
  const found = new Set<Scope>()
  for (const name of list.split(",").map((part) => part.trim())) {
    const scope = scopes.find((known) => known === name)
    const bundle = Object.entries(scopeBundles).find(([known]) => known === name)?.[1]
    if (scope !== undefined) found.add(scope)
    else if (bundle !== undefined) for (const one of bundle) found.add(one)
    else {
      const known = [...Object.keys(scopeBundles), ...scopes].join(", ")
      return Effect.fail(new InvalidInput({ message: `scopes: unknown scope. Known scopes: ${known}.` }))
    }
  }
  return Effect.succeed([...found])
}
