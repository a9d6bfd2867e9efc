/**
 * What operators do with organizations and keys, as one table of operations. A command line runs them on the database
 * itself, or asks the process that owns the embedded folder. Source: contract 2; G36, G37.
 */

import { AuditLog, verifyAudit } from "@svc/core/audit/index"
import { decoder } from "@svc/core/Decode"
import { type Failure, fail } from "@svc/core/Failure"
import { viewOf } from "@svc/core/keys/KeyView"
import { isoDateTime, nonEmptyLine } from "@svc/core/TextFields"
import type { OperatorNeeds } from "@svc/core/workspace/asOperator"
import * as Provisioning from "@svc/core/workspace/Provisioning"
import { Workspaces } from "@svc/core/workspace/Workspaces"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** What an operation answers: plain JSON. */
export type OperatorAnswer = Readonly<Record<string, unknown>>

/** What operations need. */
export type Needs = OperatorNeeds | Workspaces | AuditLog

interface Operation {
  readonly run: (input: unknown) => Effect.Effect<OperatorAnswer, Failure, Needs>
}

const operation = <S extends Schema.Codec<unknown, unknown>>(
  input: S,
  run: (input: S["Type"]) => Effect.Effect<OperatorAnswer, Failure, Needs>
): Operation => {
  const decode = decoder(input)
  return { run: (value) => Effect.flatMap(Effect.fromResult(decode(value)), run) }
}

const noOrganization = fail("NOT_FOUND", "There is no such organization in this database. Check the id after --org.")

const optional = Schema.optionalKey
const weekSeconds = 7 * 24 * 60 * 60

/** The operations by name. */
export const operations = {
  "orgs.create": operation(Schema.Struct({ name: nonEmptyLine(200) }), ({ name }) =>
    Effect.map(Provisioning.createOrganization(name), ({ organization, text }) => ({
      organization_id: organization.id,
      api_key: text
    }))
  ),
  "keys.create": operation(
    Schema.Struct({
      organization_id: Schema.String,
      name: optional(nonEmptyLine(200)),
      scopes: optional(Schema.String),
      mode: optional(Schema.Literals(["full", "draft_only"])),
      actor_kind: optional(Schema.Literals(["USER", "AI_AGENT"])),
      expires_at: optional(isoDateTime)
    }),
    Effect.fnUntraced(function* ({ actor_kind, expires_at, mode, name, organization_id, scopes }) {
      const issued = yield* Provisioning.createKey(organization_id, {
        name,
        mode,
        actorKind: actor_kind,
        expiresAt: expires_at,
        scopes: scopes === undefined ? undefined : yield* Provisioning.parseScopes(scopes)
      })
      return { key_id: issued.key.keyId, api_key: issued.text }
    })
  ),
  "keys.list": operation(
    Schema.Struct({ organization_id: Schema.String }),
    Effect.fnUntraced(function* ({ organization_id }) {
      const workspaces = yield* Workspaces
      if ((yield* workspaces.findOrganization(organization_id)) === undefined) {
        return yield* noOrganization
      }
      const keys = yield* workspaces.listKeys(organization_id)
      return { keys: keys.map(viewOf) }
    })
  ),
  "keys.rotate": operation(
    Schema.Struct({
      key_id: Schema.String,
      overlap_seconds: optional(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: weekSeconds })))
    }),
    ({ key_id, overlap_seconds = 24 * 60 * 60 }) =>
      Effect.map(Provisioning.rotateKey(key_id, overlap_seconds), ({ key, text }) => ({
        key_id: key.keyId,
        api_key: text
      }))
  ),
  "audit.verify": operation(
    Schema.Struct({ organization_id: optional(Schema.String) }),
    Effect.fnUntraced(function* ({ organization_id }) {
      if (
        organization_id !== undefined &&
        (yield* (yield* Workspaces).findOrganization(organization_id)) === undefined
      ) {
        return yield* noOrganization
      }
      const ids = organization_id === undefined ? yield* (yield* AuditLog).organizations : [organization_id]
      const verdicts = yield* Effect.forEach(ids, verifyAudit)
      return {
        ok: verdicts.every(({ ok }) => ok),
        organizations: verdicts.map(({ broken, head, ok, organizationId, rows }) => ({
          organization_id: organizationId,
          ok,
          rows,
          head_hash: head.hash,
          broken: broken ?? null
        }))
      }
    })
  ),
  "keys.revoke": operation(Schema.Struct({ key_id: Schema.String }), ({ key_id }) =>
    Effect.map(Provisioning.revokeKey(key_id), viewOf)
  )
} as const satisfies Readonly<Record<string, Operation>>

/** The name of an operation. */
export type OperationName = keyof typeof operations

/** Runs an operation by a name that came from outside. */
export const runOperation = (name: string, input: unknown): Effect.Effect<OperatorAnswer, Failure, Needs> => {
  const found = Object.entries(operations).find(([known]) => known === name)?.[1]
  return found === undefined ? Effect.fail(fail("NOT_FOUND", "There is no such operation.")) : found.run(input)
}
