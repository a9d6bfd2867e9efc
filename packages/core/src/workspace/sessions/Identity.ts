/**
 * People whom an identity provider vouches for. Each has one key in each of their organizations, whose secret nobody knows: it is
 * the parent of their sessions, is listed and revoked as a key, and ends a week after they last signed in.
 */

import * as Effect from "effect/Effect"
import type { ActorIdentity } from "../../kernel/command/Execution.ts"
import type { Scope } from "../../kernel/command/Permission.ts"
import { ApprovalPolicy, Unauthenticated } from "../../kernel/failure/failures.ts"
import { sha256Hex } from "../../kernel/schema/Hash.ts"
import { isoFromMillis, type KeyId, now, type OrganizationId, type UserId } from "../../kernel/schema/IdsAndTime.ts"
import { type ApiKey, generateKey, keyIdOf, sessionMillis } from "../organizations/ApiKey.ts"
import { issueKey } from "../organizations/Provisioning.ts"
import { Workspaces } from "../Workspaces.ts"

/** A person, as the provider named by `issuer` knows them. */
export interface Identity {
  readonly issuer: string
  readonly subject: string
  /** For people. */
  readonly name: string
}

/** What a person may do in an organization. */
export interface Membership {
  readonly organizationId: OrganizationId
  readonly scopes: ReadonlyArray<Scope>
}

/** What a person may do in an organization, named by its id or external id. */
export interface Right {
  readonly organization: string
  readonly scopes: ReadonlyArray<Scope>
}

/** The organizations of rights, each once with all its scopes; those that do not exist are left out. */
export const membershipsOf = Effect.fnUntraced(function* (rights: ReadonlyArray<Right>) {
  const workspaces = yield* Workspaces
  const found = new Map<OrganizationId, Membership & { readonly name: string }>()
  for (const { organization, scopes } of rights) {
    const known =
      (yield* workspaces.findOrganization(organization)) ?? (yield* workspaces.findExternalOrganization(organization))
    if (known === undefined) continue
    const others = found.get(known.id)?.scopes ?? []
    found.set(known.id, {
      organizationId: known.id,
      name: known.name,
      scopes: [...new Set([...others, ...scopes])]
    })
  }
  return [...found.values()]
})

/** The ids of a person's key and user: the same whenever they sign in. */
const idsOf = ({ issuer, subject }: Identity, organizationId: OrganizationId): { keyId: KeyId; userId: UserId } => {
  const person = JSON.stringify([issuer, subject])
  return {
    keyId: keyIdOf(sha256Hex(`identity key\n${organizationId}\n${person}`)),
    userId: `usr_${sha256Hex(`identity user\n${person}`).slice(0, 32)}`
  }
}

/**
 * The person's key in an organization, with the rights that the provider's claims give now. Run it in a transaction: the key is
 * locked. Fails with UNAUTHENTICATED if it was revoked.
 */
export const personKey = Effect.fnUntraced(function* (identity: Identity, { organizationId, scopes }: Membership) {
  const workspaces = yield* Workspaces
  const { keyId, userId } = idsOf(identity, organizationId)
  const { name } = identity
  const expiresAt = isoFromMillis(Date.parse(yield* now) + sessionMillis)
  const { key } = yield* issueKey(organizationId, userId, { name, scopes, expiresAt }, generateKey(keyId, "person"))
  // Of two sign-ins at once, the second waits here for the first.
  if (yield* workspaces.createKey(key)) return key
  const found = yield* workspaces.holdKey(organizationId, keyId)
  if (found?.userId !== userId || found.revokedAt !== null) {
    return yield* new Unauthenticated({ message: "Your access was revoked here. Ask an administrator." })
  }
  const renewed: ApiKey = { ...found, name, scopes, expiresAt }
  yield* workspaces.updateKey(renewed)
  return renewed
})

/**
 * Fails with APPROVAL_POLICY unless the actor is a person with a full key: a session decides as a person, which no AI agent may
 * become.
 */
export const requirePerson = ({
  kind,
  mode
}: Pick<ActorIdentity, "kind" | "mode">): Effect.Effect<void, ApprovalPolicy> =>
  kind === "USER" && mode === "full"
    ? Effect.void
    : Effect.fail(
        new ApprovalPolicy({
          message: "Only a person's key with full rights can sign in, not that of an AI agent or a draft-only key."
        })
      )
