/** `svc orgs …` and `svc keys …`: for operators, directly on the database. */
import { Relayed } from "@svc/core"
import { generateKey } from "@svc/core/internal"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import { inFlags } from "../cliTerms.ts"
import type { OperationName } from "../Operator.ts"
import { CliExit, type Json, out, outJson } from "../Output.ts"
import { json, optionalInt, optionalText } from "./flags.ts"
import { outData } from "./runCommand.ts"

/** Runs an operation with the values that were given. What it needs is loaded on use: the words of the command line need no database. */
const run = Effect.fnUntraced(function* (name: OperationName, given: Json) {
  const { runOperator } = yield* Effect.promise(() => import("../runOperator.ts"))
  const input = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  return yield* runOperator(process.env, name, input)
})

/** Runs an operation with the values of flags and arguments, and prints its result. Errors name flags. */
const operate = (name: OperationName, flags: Json, asJson: boolean, given: Json = {}) => {
  const fields = Object.keys(flags).map((field) => ({
    name: field,
    flag: field === "organization_id" ? "org" : field.replaceAll("_", "-")
  }))
  return run(name, { ...given, ...flags }).pipe(
    Effect.mapError(({ code, message }) => new Relayed(code, { message: inFlags(message, fields) })),
    Effect.flatMap((result) => outData(result, asJson))
  )
}

/** A subcommand that runs an operation without input. */
const plain = (name: string, operation: OperationName) =>
  Command.make(name, { json }, ({ json: asJson }) => operate(operation, {}, asJson))

const createOrganization = Command.make(
  "create",
  { name: Argument.String("name").pipe(Argument.withDescription("Name of the organization")), json },
  ({ name, ...common }) => operate("orgs.create", {}, common.json, { name })
).pipe(
  Command.withDescription("Create an organization with a full-scope key, shown only once"),
  Command.withShortDescription("Create an organization with a full-scope key")
)

const listOrganizations = plain("list", "orgs.list").pipe(
  Command.withDescription("List the organizations of this database, oldest first, at most 1,000"),
  Command.withShortDescription("List organizations"),
  Command.withAlias("ls")
)

/** `svc orgs`. */
export const orgs = Command.make("orgs").pipe(
  Command.withDescription("Manage the organizations of this database"),
  Command.withSubcommands([listOrganizations, createOrganization])
)

const sendingStatus = plain("status", "sending.status").pipe(
  Command.withDescription("Show whether sending is held, since when and why")
)

const sendingRelease = plain("release", "sending.release").pipe(
  Command.withDescription(
    "Resume sending after a restore, move or clone; messages from before are looked up in their conversation first"
  ),
  Command.withShortDescription("Resume sending after a restore, move or clone")
)

/** `svc sending`. */
export const sending = Command.make("sending").pipe(
  Command.withDescription("See and release the hold on sending that follows a restored database"),
  Command.withShortDescription("See and release a hold on sending"),
  Command.withSubcommands([sendingStatus, sendingRelease])
)

/** `svc audit verify`. */
export const verify = Command.make(
  "verify",
  {
    organization_id: optionalText("org", "Organization id; default all"),
    expect: optionalText("expect", "Heads from audit head that the chains must still contain, comma-separated"),
    json
  },
  Effect.fnUntraced(function* ({ json: asJson, ...given }) {
    const result = yield* run("audit.verify", given)
    yield* outData(result, asJson)
    if (result["ok"] !== true) return yield* new CliExit({ exitCode: 1 })
  })
).pipe(
  Command.withDescription(
    "Verify that no audit row was changed, removed or inserted; exit code 1 reports the first mismatch, or an expected head that is older than the kept rows"
  ),
  Command.withShortDescription("Check the audit log for changed or missing rows")
)

const orgText = "Organization id. With it, or without a key to log in with, the database itself is used"
const organization_id = Flag.String("org").pipe(Flag.withDescription(orgText))
const keyId = Argument.String("key-id").pipe(
  Argument.withDescription("Key id: the 12 characters in the middle of the key")
)

/** Where a key is found by its id alone, `--org` says that the database itself is meant. */
const anyOrg = optionalText("org", orgText)

const create = Command.make(
  "create",
  {
    organization_id,
    name: optionalText("name", "Purpose of the key"),
    scopes: optionalText("scopes", "Scopes or bundles (read_only, drafter, approver, full), comma-separated"),
    mode: optionalText("mode", "full, or draft_only: can read and draft, but not approve or send"),
    actor_kind: optionalText("actor-kind", "USER or AI_AGENT"),
    expires_at: optionalText("expires-at", "When the key expires, ISO 8601"),
    json
  },
  ({ json: asJson, ...flags }) => operate("keys.create", flags, asJson)
).pipe(Command.withDescription("Create an API key, shown only once"))

const list = Command.make("list", { organization_id, json }, ({ json: asJson, ...flags }) =>
  operate("keys.list", flags, asJson)
).pipe(Command.withDescription("List an organization's API keys, without their secrets"), Command.withAlias("ls"))

const rotate = Command.make(
  "rotate",
  {
    keyId,
    org: anyOrg,
    overlap: optionalInt("overlap-seconds", "Seconds for which the old secret stays valid, 0 to 604800; default 86400"),
    json
  },
  ({ json: asJson, keyId: key_id, overlap }) => operate("keys.rotate", { overlap_seconds: overlap }, asJson, { key_id })
).pipe(Command.withDescription("Replace an API key's secret"))

const revoke = Command.make("revoke", { keyId, org: anyOrg, json }, ({ json: asJson, keyId: key_id }) =>
  operate("keys.revoke", {}, asJson, { key_id })
).pipe(Command.withDescription("Revoke an API key; every replica refuses it within a second"))

/** `svc keys generate`, which needs neither a database nor a service. */
export const keyGenerator = Command.make("generate", { json }, ({ json: asJson }) => {
  const text = generateKey()
  return asJson ? outJson({ api_key: text }, true) : out(text)
}).pipe(Command.withDescription("Generate a key for SVC_BOOTSTRAP_KEY"))

/** `svc keys …` on the database itself. */
export const databaseKeys = [create, list, rotate, revoke, keyGenerator]
