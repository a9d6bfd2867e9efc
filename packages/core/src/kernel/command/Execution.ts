/**
 * The running command: who acts, how it emits events and warnings, and how it commits.
 *
 * Every call has exactly one actor. The organization of everything a command touches is the actor's; it never comes from input.
 *
 * An ordinary command runs inside one transaction and only emits events and warnings. A command that calls a provider
 * (`outward`) runs outside any transaction: it commits its intent with `commit`, calls the provider, and ends with
 * `finish`, which stores the outcome, the audit row and the idempotency record in one transaction.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Failure } from "../failure/Failure.ts"
import { InvalidInput, NotFound } from "../failure/failures.ts"
import type { NewEvent } from "../journal/Event.ts"
import type { JournalFailure } from "../journal/Journal.ts"
import type { KeyId, OrganizationId, UserId } from "../schema/IdsAndTime.ts"
import { decodePercent, visibleText } from "../schema/TextRules.ts"
import type { ActorKind, ActorMode, PolicyLayers, Scope } from "./Permission.ts"

/** Its name and version; null without a version. */
export interface ClientInfo {
  readonly name: string
  readonly version: string | null
}

const maxName = 80

const maxVersion = 40

const lineOf = (value: unknown, max: number): string =>
  typeof value === "string"
    ? visibleText(value.slice(0, max * 4))
        .replaceAll(/\s+/g, " ")
        .trim()
        .slice(0, max)
        .toWellFormed()
    : ""

/** What a program says of itself, as one line of visible characters, cut to 80 and 40; undefined without a name. */
export const clientInfo = (name: unknown, version: unknown): ClientInfo | undefined => {
  const shown = lineOf(name, maxName)
  return shown === "" ? undefined : { name: shown, version: lineOf(version, maxVersion) || null }
}

const decoded = (part: string | undefined): string | undefined => part && (decodePercent(part) ?? part)

/** The header `Svc-Client` of a program: name and version, each percent-encoded, with a slash in between. */
export const clientHeader = ({ name, version }: ClientInfo): string =>
  [name, ...(version === null ? [] : [version])].map(encodeURIComponent).join("/")

/** The program that a header `Svc-Client` names, such as `sales-bot/1.2`; undefined when it names none. */
export const clientOfHeader = (header: string | undefined): ClientInfo | undefined => {
  if (header === undefined) return undefined
  const [name, version] = header.split("/", 2)
  return clientInfo(decoded(name), decoded(version))
}

/**
 * The actor as every command sees it. `keyId` is null for a host program that acts without a key. `policies` were read
 * with the key; without them Dispatch reads the organization's. `parentKeyId` is the key that a session of the review page
 * came from; `keyId` is then the session's own. `grantor` is the key of the person who signed in an AI agent, with the scopes
 * that it has now; `keyId` is then that of the agent's tokens. `client` is the program that it calls with, if that says what it
 * is.
 */
export interface ActorIdentity {
  readonly organizationId: OrganizationId
  readonly userId: UserId
  readonly kind: ActorKind
  readonly mode: ActorMode
  readonly scopes: ReadonlyArray<Scope>
  readonly keyId: KeyId | null
  readonly parentKeyId?: KeyId
  readonly grantor?: { readonly keyId: KeyId; readonly scopes: ReadonlyArray<Scope> }
  readonly policies?: PolicyLayers
  readonly client?: ClientInfo
}

/** The key that an actor has its rights from: for a session, the one that it came from. */
export const rightsKeyOf = ({ keyId, parentKeyId }: ActorIdentity): KeyId | null => parentKeyId ?? keyId

/** The actor of the running command. */
export class Actor extends Context.Service<Actor, ActorIdentity>()("@svc/core/Actor") {}

/** What Dispatch offers to the running command. */
export class Execution extends Context.Service<
  Execution,
  {
    /** True if everything is rolled back at the end: an outward command must then not call a provider. */
    readonly dryRun: boolean
    /** Emits an event, stored with the current transaction. */
    readonly emit: (event: NewEvent) => Effect.Effect<void>
    /** Adds a line to `meta.warnings`. */
    readonly warn: (warning: string) => Effect.Effect<void>
    /** Outward commands only: runs a step in its own transaction, with its events. */
    readonly commit: <A, E extends Failure, R>(step: Effect.Effect<A, E, R>) => Effect.Effect<A, E | JournalFailure, R>
    /**
     * Outward commands only: the last step. A `Failure` that the step *returns* is an outcome: the step's changes are
     * committed, the failure is recorded under the idempotency key, and the command fails with it.
     */
    readonly finish: <A, E extends Failure, R>(
      step: Effect.Effect<A, E, R>
    ) => Effect.Effect<Exclude<A, Failure>, E | Extract<A, Failure> | JournalFailure, R>
  }
>()("@svc/core/Execution") {}

const isOutcome = <A>(output: A): output is Extract<A, Failure> => output instanceof Failure

const isOutput = <A>(output: A): output is Exclude<A, Failure> => !isOutcome(output)

/** Succeeds with an output, or fails with the failure that was returned. */
export const succeedOrFail = <A>(output: A): Effect.Effect<Exclude<A, Failure>, Extract<A, Failure>> => {
  if (isOutput(output)) return Effect.succeed(output)
  return isOutcome(output) ? Effect.fail(output) : Effect.die("neither output nor failure")
}

/** Emits an event of the running command. */
export const emit = (event: NewEvent): Effect.Effect<void, never, Execution> =>
  Effect.flatMap(Execution, (execution) => execution.emit(event))

/** Adds a warning to the running command's result. */
export const warn = (warning: string): Effect.Effect<void, never, Execution> =>
  Effect.flatMap(Execution, (execution) => execution.warn(warning))

/** Outward commands only: runs a step in its own transaction, with its events. */
export const commit = <A, E extends Failure, R>(
  step: Effect.Effect<A, E, R>
): Effect.Effect<A, E | JournalFailure, R | Execution> =>
  Effect.flatMap(Execution, (execution) => execution.commit(step))

// The three options of every command, which are not part of its input: response profile, dry run, idempotency key. Every
// surface reads them with {@link parseOptions}.

/** `compact` omits or shortens long optional parts; ids, states and required fields never change. */
export type ResponseProfile = "full" | "compact"

/** How to run a command. */
export interface ExecutionOptions {
  readonly responseProfile: ResponseProfile
  /** Previews the output without saving: the run is rolled back. */
  readonly dryRun: boolean
  /** 1 to 255 printable ASCII characters. Retries with the same key take effect once. */
  readonly idempotencyKey: string | undefined
}

/** The options of a caller that sends none. */
export const defaultOptions: ExecutionOptions = { responseProfile: "full", dryRun: false, idempotencyKey: undefined }

/** Options as a surface receives them. */
export interface RawOptions {
  readonly response_profile?: string | undefined
  readonly dry_run?: string | boolean | undefined
  readonly idempotency_key?: string | undefined
}

const printableAscii = /^[\x20-\x7e]+$/

/** Checks options given as text. Fails with INVALID_INPUT naming the allowed values. */
export const parseOptions = (raw: RawOptions): Result.Result<ExecutionOptions, InvalidInput> => {
  const profile = raw.response_profile ?? "full"
  if (profile !== "full" && profile !== "compact") {
    return Result.fail(new InvalidInput({ message: "response_profile must be full or compact." }))
  }
  const dryRun = String(raw.dry_run ?? "false")
  if (dryRun !== "true" && dryRun !== "false") {
    return Result.fail(new InvalidInput({ message: "dry_run must be true or false." }))
  }
  const key = raw.idempotency_key
  if (key !== undefined && (key.length < 1 || key.length > 255 || !printableAscii.test(key))) {
    return Result.fail(new InvalidInput({ message: "Idempotency-Key must be 1 to 255 printable ASCII characters." }))
  }
  return Result.succeed({ responseProfile: profile, dryRun: dryRun === "true", idempotencyKey: key })
}

/** The URL of the service without a slash at its end; undefined when there is none. */
export const PublicUrl: Context.Reference<() => string | undefined> = Context.Reference<() => string | undefined>(
  "@svc/core/PublicUrl",
  { defaultValue: () => () => undefined }
)

/** The result of a lookup. Fails with NOT_FOUND if it is undefined; `kind` is a noun such as "lead". */
export const orNotFound = <A, E, R>(
  kind: string,
  id: string,
  lookup: Effect.Effect<A | undefined, E, R>
): Effect.Effect<A, E | NotFound, R> =>
  Effect.flatMap(lookup, (found) =>
    found === undefined ? Effect.fail(new NotFound({ kind, id })) : Effect.succeed(found)
  )

/** The record of the actor's organization with an id, as a method of a store finds it. Fails like {@link orNotFound}. */
export const ownRecord = <Id extends string, A, E, R>(
  kind: string,
  id: Id,
  find: (organizationId: OrganizationId, id: Id) => Effect.Effect<A | undefined, E, R>
): Effect.Effect<A, E | NotFound, R | Actor> =>
  Effect.flatMap(Actor, ({ organizationId }) => orNotFound(kind, id, find(organizationId, id)))
