/** What a host program does as an operator: organizations known by ids of its own, such as those of its customers, and keys. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { decoder } from "../../kernel/schema/Decode.ts"
import { Ids, now } from "../../kernel/schema/IdsAndTime.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { CreateKey } from "../keys/commands.ts"
import { requireFuture } from "../keys/keyRights.ts"
import { type Organization, Workspaces } from "../Workspaces.ts"
import { asOperator } from "./asOperator.ts"
import { createKey } from "./Provisioning.ts"

const decode = decoder(Schema.Struct({ externalId: nonEmptyLine(200), name: Schema.optionalKey(nonEmptyLine(200)) }))

const subjectOf = ({ id }: Organization) => ({ type: "organization", id })

const create = Effect.fnUntraced(function* (externalId: string, name: string) {
  const workspaces = yield* Workspaces
  const organization = { id: yield* (yield* Ids).next("org"), name, externalId, createdAt: yield* now }
  return yield* asOperator(
    {
      organizationId: organization.id,
      operation: "operator.orgs.create",
      input: { externalId, name },
      subject: subjectOf(organization)
    },
    Effect.gen(function* () {
      if (yield* workspaces.createExternalOrganization(organization)) return { result: organization }
      // Another process created it in the meantime. Organizations are never deleted.
      const other = yield* workspaces.findExternalOrganization(externalId)
      return { result: other ?? (yield* Effect.die("the organization is gone")), isChanged: false }
    })
  )
})

/**
 * The organization with an external id, created without a key if there is none. Its name follows: a name that differs is
 * stored. Fails with INVALID_INPUT, naming the field.
 */
export const ensureExternal = Effect.fnUntraced(function* (input: unknown) {
  const { externalId, name } = yield* Effect.fromResult(decode(input))
  const workspaces = yield* Workspaces
  const known =
    (yield* workspaces.findExternalOrganization(externalId)) ?? (yield* create(externalId, name ?? externalId))
  if (name === undefined || name === known.name) return known
  return yield* asOperator(
    { organizationId: known.id, operation: "operator.orgs.rename", input: { name }, subject: subjectOf(known) },
    Effect.map(workspaces.renameOrganization(known.id, name), (isChanged) => ({
      result: { ...known, name },
      isChanged
    }))
  )
})

const { actor_kind, expires_at, mode, name, scopes, user_id } = CreateKey.input.fields

const decodeKey = decoder(
  Schema.Struct({
    organizationId: Schema.String,
    name,
    userId: user_id,
    kind: actor_kind,
    mode,
    scopes,
    expiresAt: expires_at
  })
)

/** Creates a key as an operator does. Fails with INVALID_INPUT, naming the field, and NOT_FOUND. */
export const issueHostKey = Effect.fnUntraced(function* (input: unknown) {
  const { kind, organizationId, ...request } = yield* Effect.fromResult(decodeKey(input))
  yield* requireFuture("expiresAt", request.expiresAt)
  return yield* createKey(organizationId, { ...request, actorKind: kind })
})
