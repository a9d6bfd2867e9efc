/**
 * Operations of operators on organizations and keys. The command line runs them directly on the database, or through the
 * process that owns the embedded folder.
 */

import { readFile } from "node:fs/promises"
import { type Failure, NotFound } from "@svc/core"
import * as Internal from "@svc/core/internal"
import { SendingHold, type SendingState } from "@svc/core/outreach"
import * as Workspace from "@svc/core/workspace"
import { backupDatabase, Database, tableSizes } from "@svc/postgres"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { invalid, type Json } from "./Output.ts"
import { savePrivately } from "./profiles.ts"

/** Services for operations. */
export type OperatorServices = Workspace.OperatorNeeds | Workspace.Workspaces

type Operation<Input> = (input: Input) => Effect.Effect<Json, Failure, OperatorServices>

/** An operation that decodes its input. */
const operation = <S extends Schema.Codec<unknown, unknown>>(input: S, run: Operation<S["Type"]>) => {
  const decode = Internal.decoder(input)
  return (value: unknown) => Effect.flatMap(Effect.fromResult(decode(value)), run)
}

const checkOrganization = Effect.fnUntraced(function* (id: string) {
  if ((yield* (yield* Workspace.Workspaces).findOrganization(id)) !== undefined) return
  const message = "Organization not found in this database. Check --org."
  return yield* new NotFound({ kind: "organization", message })
})

const optional = Schema.optionalKey

const noInput = Schema.Struct({})

/** A new key, whose text is shown only here. */
const issuedView = ({ key, text }: Workspace.IssuedKey) => ({ key_id: key.keyId, api_key: text })

const weekSeconds = 7 * 24 * 60 * 60

const sendingView = Effect.map((state: SendingState) => {
  const shown = state.hold ?? Internal.resumedAfter(state)
  return {
    held: state.hold !== undefined,
    reason: shown?.reason ?? null,
    since: shown?.since ?? null,
    detail: shown?.detail ?? null,
    released_at: state.releasedAt
  }
})

/** What a verification does not cover. */
const noteOf = ({ deletedAt, sequence }: Workspace.ChainStart, hasUnchecked: boolean): string => {
  const verified = `Verified from row ${sequence + 1}; older rows were deleted by retention on ${deletedAt}.`
  return hasUnchecked
    ? `${verified} The heads in unchecked cannot be checked: they are older than the kept rows. Expect a head of row ${sequence} or later.`
    : verified
}

/** Runs on the database of the process, which has one unless it keeps everything in memory. */
const inDatabase = Effect.fnUntraced(function* (run: Effect.Effect<Json, Failure, SqlClient | Database>) {
  const [sql, database] = [yield* Effect.serviceOption(SqlClient), yield* Effect.serviceOption(Database)]
  if (Option.isNone(sql) || Option.isNone(database)) return yield* new NotFound({ kind: "database" })
  return yield* run.pipe(Effect.provideService(SqlClient, sql.value), Effect.provideService(Database, database.value))
})

/** The operations by name. */
const operations = {
  "orgs.create": operation(Schema.Struct({ name: Internal.nonEmptyLine(200) }), ({ name }) =>
    Effect.map(Workspace.createOrganization(name), ({ organization, text }) => ({
      organization_id: organization.id,
      api_key: text
    }))
  ),
  "orgs.list": operation(
    noInput,
    Effect.fnUntraced(function* () {
      const found = yield* (yield* Workspace.Workspaces).listOrganizations
      const rows = found.map(({ createdAt, id, name }) => ({ name, created_at: createdAt, organization_id: id }))
      return { organizations: rows }
    })
  ),
  "keys.create": operation(
    Schema.Struct({
      organization_id: Schema.String,
      name: optional(Internal.nonEmptyLine(200)),
      scopes: optional(Schema.String),
      mode: optional(Schema.Literals(["full", "draft_only"])),
      actor_kind: optional(Schema.Literals(["USER", "AI_AGENT"])),
      expires_at: optional(Internal.isoDateTime)
    }),
    Effect.fnUntraced(function* ({ actor_kind, expires_at, mode, name, organization_id, scopes }) {
      const issued = yield* Internal.createKey(organization_id, {
        name,
        mode,
        actorKind: actor_kind,
        expiresAt: expires_at,
        scopes: scopes === undefined ? undefined : yield* Internal.parseScopes(scopes)
      })
      return issuedView(issued)
    })
  ),
  "keys.list": operation(
    Schema.Struct({ organization_id: Schema.String }),
    Effect.fnUntraced(function* ({ organization_id }) {
      yield* checkOrganization(organization_id)
      const keys = yield* (yield* Workspace.Workspaces).listKeys(organization_id)
      return { keys: keys.map(Internal.viewOf) }
    })
  ),
  "keys.rotate": operation(
    Schema.Struct({
      key_id: Schema.String,
      overlap_seconds: optional(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: weekSeconds })))
    }),
    ({ key_id, overlap_seconds = 24 * 60 * 60 }) => Effect.map(Internal.rotateKey(key_id, overlap_seconds), issuedView)
  ),
  "audit.verify": operation(
    Schema.Struct({ organization_id: optional(Schema.String), expect: optional(Schema.String) }),
    Effect.fnUntraced(function* ({ expect = "", organization_id }) {
      const heads = expect === "" ? [] : expect.split(",").map((text) => Internal.parseHead(text.trim()))
      const expected = heads.flatMap((head) => head ?? [])
      if (expected.length < heads.length) {
        return yield* invalid("expect must be heads from audit.head, ORGANIZATION:SEQUENCE:HASH, separated by commas.")
      }
      if (organization_id !== undefined) yield* checkOrganization(organization_id)
      const ids =
        organization_id === undefined ? yield* (yield* Workspace.Workspaces).audit.organizations : [organization_id]
      // An organization that is gone breaks what was expected of it.
      const all = new Set([...ids, ...expected.map(({ organizationId }) => organizationId)])
      const verdicts = yield* Effect.forEach(all, (id) =>
        Internal.verifyAudit(
          id,
          expected.flatMap(({ head, organizationId }) => (organizationId === id ? [head] : []))
        )
      )
      return {
        ok: verdicts.every(({ ok }) => ok),
        organizations: verdicts.map(({ broken, head, ok, organizationId, rows, start, unchecked }) => ({
          organization_id: organizationId,
          ok,
          rows,
          first_row: start.sequence + 1,
          head_hash: head.hash,
          head: Internal.headText(organizationId, head),
          broken: broken ?? null,
          unchecked: unchecked.map((one) => Internal.headText(organizationId, one)),
          ...(broken === undefined && start.sequence > 0 ? { note: noteOf(start, unchecked.length > 0) } : {})
        }))
      }
    })
  ),
  "database.sizes": operation(noInput, () => inDatabase(Effect.map(tableSizes, (tables) => ({ tables })))),
  "database.backup": operation(Schema.Struct({ folder: Schema.String }), ({ folder }) =>
    inDatabase(Effect.map(backupDatabase(folder), (manifest) => ({ ...manifest })))
  ),
  "sending.status": operation(noInput, () => Effect.flatMap(SendingHold, ({ current }) => sendingView(current))),
  "sending.release": operation(noInput, () => Effect.flatMap(SendingHold, ({ release }) => sendingView(release))),
  "keys.revoke": operation(Schema.Struct({ key_id: Schema.String }), ({ key_id }) =>
    Effect.map(Internal.revokeKey(key_id), Internal.viewOf)
  )
} as const satisfies Readonly<Record<string, Operation<unknown>>>

/** The name of an operation. */
export type OperationName = keyof typeof operations

/** Runs an operation by name. */
export const runOperation = (name: string, input: unknown) => {
  const found = Object.entries(operations).find(([known]) => known === name)?.[1]
  return found === undefined
    ? Effect.fail(new NotFound({ kind: "operation", message: "Operation not found." }))
    : found(input)
}

// The key of `svc dev`, saved next to the data (mode 0600), so that it survives restarts and `SVC_API_KEY_FILE` can name
// it.

/** Path of the key, relative to the working directory. */
export const devKeyFile = ".svc/dev-key"

/** The key that `svc dev` saved in this folder, if it did. */
export const savedKey = Effect.tryPromise(() => readFile(devKeyFile, "utf8")).pipe(
  Effect.map((text) => text.trim()),
  Effect.orElseSucceed(() => undefined)
)

/** A valid key: the saved one, or a new one for the oldest organization. */
export const devKey = Effect.gen(function* () {
  const { authenticate } = yield* Workspace.Authentication
  const text = yield* savedKey
  if (text !== undefined && Option.isSome(yield* Effect.option(authenticate(text)))) return text
  const first = yield* Workspace.bootstrap("dev")
  const made = first ?? (yield* Internal.createKey((yield* Internal.ensureOrganization("dev")).id, { name: "svc dev" }))
  yield* savePrivately(devKeyFile, made.text)
  return made.text
})
