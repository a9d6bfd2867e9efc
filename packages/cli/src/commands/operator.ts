/** `svc orgs …` and `svc keys …`: for operators, on the database itself. Source: contract 2 and 7. */
import { generateKey } from "@svc/core/workspace/ApiKey"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { OperationName } from "../Operator.ts"
import { CliExit, out, outJson, refuse } from "../Output.ts"
import { runOperator } from "../runOperator.ts"
import { json } from "./flags.ts"

/** Runs an operation with what was given, and prints its answer. */
const operate = (name: OperationName, given: Readonly<Record<string, unknown>>, asJson: boolean) => {
  const input = Object.fromEntries(
    Object.entries(given).flatMap(([field, value]) => {
      const plain: unknown = Option.isOption(value) ? Option.getOrUndefined(value) : value
      return plain === undefined ? [] : [[field, plain]]
    })
  )
  return runOperator(process.env, name, input).pipe(
    Effect.flatMap((answer) => outJson(answer, asJson)),
    Effect.catchTag("Failure", (failure) => refuse(failure, asJson))
  )
}

const optional = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

const createOrganization = Command.make(
  "create",
  { name: Argument.String("name").pipe(Argument.withDescription("Name of the organization")), json },
  ({ name, ...common }) => operate("orgs.create", { name }, common.json)
).pipe(Command.withDescription("Make an organization with a key that holds every scope; the key is shown once"))

/** `svc orgs`. */
export const orgs = Command.make("orgs").pipe(
  Command.withDescription("Organizations of this database"),
  Command.withSubcommands([createOrganization])
)

/** `svc audit verify`. */
export const verify = Command.make(
  "verify",
  {
    org: Flag.String("org").pipe(Flag.withDescription("Id of the organization; default all of them"), Flag.optional),
    json
  },
  Effect.fnUntraced(function* ({ json: asJson, org: organization_id }) {
    const answer = yield* runOperator(
      process.env,
      "audit.verify",
      Option.isSome(organization_id) ? { organization_id: organization_id.value } : {}
    ).pipe(Effect.catchTag("Failure", (failure) => refuse(failure, asJson)))
    yield* outJson(answer, asJson)
    if (answer["ok"] !== true) return yield* new CliExit({ exitCode: 1 })
  })
).pipe(
  Command.withDescription(
    "Check that no audit row was changed, removed or slipped in; exit code 1 names the first that does not fit"
  )
)

const org = Flag.String("org").pipe(Flag.withDescription("Id of the organization"))
const keyId = Argument.String("key-id").pipe(Argument.withDescription("Id of the key: the 12 characters in its middle"))

const create = Command.make(
  "create",
  {
    org,
    name: optional("name", "What the key is for"),
    scopes: optional("scopes", "Scopes or bundles (read_only, drafter, approver, full), separated by commas"),
    mode: optional("mode", "full, or draft_only: may read and draft, never approve or send"),
    actorKind: optional("actor-kind", "USER or AI_AGENT"),
    expiresAt: optional("expires-at", "Instant after which the key is refused, ISO 8601"),
    json
  },
  ({ actorKind, expiresAt, json: asJson, mode, name, org: organization_id, scopes }) =>
    operate(
      "keys.create",
      { organization_id, name, scopes, mode, actor_kind: actorKind, expires_at: expiresAt },
      asJson
    )
).pipe(Command.withDescription("Make a key; it is shown once"))

const list = Command.make("list", { org, json }, ({ json: asJson, org: organization_id }) =>
  operate("keys.list", { organization_id }, asJson)
).pipe(Command.withDescription("List the keys of an organization, without their secrets"))

const rotate = Command.make(
  "rotate",
  {
    keyId,
    overlap: Flag.Int("overlap-seconds").pipe(
      Flag.withDescription("Seconds the old secret still holds, 0 to 604800; default 86400"),
      Flag.optional
    ),
    json
  },
  ({ json: asJson, keyId: key_id, overlap }) => operate("keys.rotate", { key_id, overlap_seconds: overlap }, asJson)
).pipe(Command.withDescription("Give a key a new secret"))

const revoke = Command.make("revoke", { keyId, json }, ({ json: asJson, keyId: key_id }) =>
  operate("keys.revoke", { key_id }, asJson)
).pipe(Command.withDescription("End a key; every replica refuses it within a second"))

const generate = Command.make("generate", { json }, ({ json: asJson }) => {
  const text = generateKey()
  return asJson ? outJson({ api_key: text }, true) : out(text)
}).pipe(Command.withDescription("Print a well-formed key for SVC_BOOTSTRAP_KEY"))

/** `svc keys`. */
export const keys = Command.make("keys").pipe(
  Command.withDescription("API keys of this database"),
  Command.withSubcommands([create, list, rotate, revoke, generate])
)
