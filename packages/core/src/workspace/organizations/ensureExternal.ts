/** Organizations that a host program knows by ids of its own, such as those of its customers. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Failure } from "../../kernel/failure/Failure.ts"
import { decoder } from "../../kernel/schema/Decode.ts"
import { Ids } from "../../kernel/schema/Ids.ts"
import { nonEmptyLine } from "../../kernel/schema/TextFields.ts"
import { now } from "../../kernel/schema/Time.ts"
import { type Organization, Workspaces } from "../Workspaces.ts"
import { asOperator, type OperatorNeeds } from "./asOperator.ts"

const decode = decoder(Schema.Struct({ externalId: nonEmptyLine(200), name: Schema.optionalKey(nonEmptyLine(200)) }))

const subjectOf = ({ id }: Organization) => ({ type: "organization", id })

const create = Effect.fnUntraced(function* (
  externalId: string,
  name: string
): Effect.fn.Return<Organization, Failure, OperatorNeeds | Workspaces> {
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
export const ensureExternal = Effect.fnUntraced(function* (
  input: unknown
): Effect.fn.Return<Organization, Failure, OperatorNeeds | Workspaces> {
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
