/**
 * Creating organizations and keys, for `svc orgs create`, `svc keys …` and the first start.
 *
 * The text of a key is returned once and never stored. Operators' changes are in the organization's audit log.
 */

import * as Effect from "effect/Effect"
import { orNotFound } from "../../kernel/command/Execution.ts"
import { type ActorKind, type ActorMode, type Scope, scopeBundles, scopes } from "../../kernel/command/Permission.ts"
import { InvalidInput, WrongState } from "../../kernel/failure/failures.ts"
import type { NewEvent, Subject } from "../../kernel/journal/Event.ts"
import {
  Ids,
  type InstantText,
  isoFromMillis,
  type KeyId,
  now,
  type OrganizationId,
  type UserId
} from "../../kernel/schema/IdsAndTime.ts"
import { revokedEvents } from "../authorization/tokens.ts"
import { type Organization, Workspaces } from "../Workspaces.ts"
import { type ApiKey, generateKey, hashOfKey, hashSecret, parseKey } from "./ApiKey.ts"
import { asOperator, recordChange } from "./asOperator.ts"

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
) {
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

const prepare = Effect.fnUntraced(function* (name: string, text?: string) {
  const ids = yield* Ids
  const organization: Organization = { id: yield* ids.next("org"), name, externalId: null, createdAt: yield* now }
  const issued = yield* issueKey(organization.id, yield* ids.next("usr"), { name: "first key" }, text)
  return { organization, ...issued }
})

const keyOf = ({ keyId }: ApiKey): Subject => ({ type: "key", id: keyId })

/** Creates an organization, with a person's key that has every scope. */
export const createOrganization = Effect.fnUntraced(function* (name: string) {
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
export const bootstrap = Effect.fnUntraced(function* (name: string, text?: string) {
  const made = yield* prepare(name, text)
  const done = yield* (yield* Workspaces).createFirstOrganization(made.organization, made.key)
  return done ? made : undefined
})

/** The oldest organization, created if there is none. */
export const ensureOrganization = Effect.fnUntraced(function* (name: string) {
  const workspaces = yield* Workspaces
  const oldest = yield* workspaces.oldestOrganization
  if (oldest !== undefined) return oldest
  const made = yield* bootstrap(name)
  if (made !== undefined) return made.organization
  // Another process created the first one in the meantime.
  return (yield* workspaces.oldestOrganization) ?? (yield* Effect.die("the first organization is gone"))
})

/** Creates a key for an organization. Fails with NOT_FOUND. */
export const createKey = Effect.fnUntraced(function* (organizationId: OrganizationId, request: KeyRequest) {
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
export const rotateKey = Effect.fnUntraced(function* (keyId: KeyId, overlapSeconds: number) {
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
export const revokeKey = Effect.fnUntraced(function* (keyId: KeyId) {
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

/** Reads a key and locks it until the transaction ends. Fails with NOT_FOUND. */
export const lockKey = (organizationId: OrganizationId, keyId: KeyId) =>
  Effect.flatMap(Workspaces, (workspaces) => orNotFound("key", keyId, workspaces.holdKey(organizationId, keyId)))

/** The key with an additional secret; its valid secrets expire at `until`. Not stored yet. */
export const withNewSecret = (key: ApiKey, at: string, until: string) => {
  const text = generateKey(key.keyId)
  const old = key.secrets
    .filter(({ validUntil }) => validUntil === null || validUntil > at)
    .map((secret) => ({ ...secret, validUntil: [secret.validUntil ?? until, until].sort()[0] ?? until }))
  const secrets = [...old, { hash: hashOfKey(text), validUntil: null }]
  return { key: { ...key, secrets }, text }
}

/**
 * Adds a secret to a locked key; the old ones stay valid for `overlapSeconds`. Fails with WRONG_STATE if it is revoked, or is a
 * session.
 */
export const rotateLockedKey = Effect.fnUntraced(function* (key: ApiKey, overlapSeconds: number) {
  if (key.revokedAt !== null) {
    return yield* new WrongState({ message: "A revoked key cannot be rotated. Create a new key." })
  }
  if (key.session !== undefined) {
    return yield* new WrongState({
      message: "A session or grant cannot be rotated. Revoke it, or rotate the key it came from."
    })
  }
  const at = yield* now
  const until = isoFromMillis(Date.parse(at) + overlapSeconds * 1000)
  const issued = withNewSecret(key, at, until)
  yield* (yield* Workspaces).updateKey(issued.key)
  const data = { old_secret_valid_until: until }
  return { issued, event: { type: "key.rotated", subject: keyOf(key), data } as const }
})

/** Revokes a locked key; a revoked key stays as it is. */
export const revokeLockedKey = Effect.fnUntraced(function* (key: ApiKey) {
  if (key.revokedAt !== null) return key
  const revoked: ApiKey = { ...key, revokedAt: yield* now }
  yield* (yield* Workspaces).updateKey(revoked)
  return revoked
})

/** A change of a key by its own user that is no command, such as signing in. */
interface KeyChange {
  readonly key: ApiKey
  /** Such as `session.start`. */
  readonly commandId: string
  /** Default USER. */
  readonly actorKind?: ActorKind
  readonly events?: ReadonlyArray<NewEvent>
}

/** Writes the audit row and the events of a change, in the transaction of the change. */
export const recordKeyChange = ({ actorKind = "USER", commandId, events = [], key }: KeyChange) => {
  const { keyId, organizationId, userId } = key
  const facts = { organizationId, actorKind, userId, keyId, commandId, subject: keyOf(key), outcome: "ok" }
  return recordChange({ ...facts, input: { key_id: keyId }, events })
}
