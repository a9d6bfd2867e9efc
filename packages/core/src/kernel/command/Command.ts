/**
 * A command: one operation as one value.
 *
 * A command declares what it is (id, category, risk, scope), its input and output schemas, its texts and examples, and
 * what it does (`run`). HTTP, the command line, MCP, the in-process API, OpenAPI, docs and audit are derived from this
 * value; nothing about an operation is declared anywhere else. A declaration without risk, schemas, texts or
 * an example does not compile.
 */

import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import type * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { Failure, FailureClass, FailureIn } from "../failure/Failure.ts"
import type { CommonFailure } from "../failure/failures.ts"
import type { CommandId } from "../schema/IdsAndTime.ts"
import type { Effects } from "./Effects.ts"
import type { Actor, Execution } from "./Execution.ts"
import type { Scope } from "./Permission.ts"

/** `read` changes nothing; `mutate` changes this workspace; `approval` is for what a person may want to approve first. */
export type Risk = "read" | "mutate" | "approval"

/** The first words of the ids of each category's commands, unless they say another; `custom` has all further words. */
const firstWords = {
  offers: ["offer"],
  leads: ["lead"],
  linkedin: ["linkedin", "review"],
  email: ["email"],
  missions: ["mission"],
  imports: ["import"],
  agents: ["agent"],
  workspace: ["agent-run", "approval", "audit", "event", "key", "policy", "session", "webhook", "workspace"],
  custom: []
}

/** The group of a command in the catalogue; `custom` is for commands of a host. */
export type Category = keyof typeof firstWords

/** All categories, in the order of a workflow. */
export const categories: ReadonlyArray<Category> = Struct.keys(firstWords)

const categoryOf = new Map(
  Record.toEntries(firstWords).flatMap(([category, words]) => words.map((word) => [word, category] as const))
)

/** A schema whose decoding and encoding need no services. */
export type AnySchema = Schema.Codec<unknown, unknown>

/** One runnable example. Its input refers to the sample data of `svc dev --sample`; a test runs it on every surface. */
export interface Example {
  readonly title: string
  readonly input: Readonly<Record<string, unknown>>
}

/** What single surfaces read of a command. Running it takes none of this. */
export interface Annotations {
  /**
   * Input fields that MCP tools do not list, to keep them short; they are accepted all the same. `list.field` is a field of
   * the items of a list.
   */
  readonly unlisted?: ReadonlyArray<string>
  /** Maximum HTTP body in bytes, if the usual megabyte is too small for the input. */
  readonly bodyLimit?: number
  /** Whether it takes or returns a secret, which no model is to see: it is no tool of MCP. */
  readonly secret?: boolean
}

/** The services that Dispatch provides to every run. */
export type Provided = Actor | Execution

/** An operation. `R` is what it needs: repositories and ports. `E` are the failures it declares. */
export interface Command<
  Id extends string,
  In extends AnySchema,
  Out extends AnySchema,
  R,
  E extends Failure = Failure
> {
  /** Never changes: lower-case words joined by `.` and `-`. */
  readonly id: Id
  readonly title: string
  /** One line. */
  readonly summary: string
  /** What it does, for a person or a model that is new to it. */
  readonly description: string
  readonly whenToUse: string
  readonly category: Category
  readonly risk: Risk
  /** `internal` commands serve REST endpoints and resources, and are never listed. */
  readonly visibility: "public" | "internal"
  readonly scope: Scope
  /** What a run does beyond this workspace; by default it only reads (risk `read`) or writes the workspace. */
  readonly effects: Effects
  /**
   * The ids of other commands whose work a run with this input does too, each with what in the input asks for it, such as
   * `on_conflict merge`. Whoever may not run those may not run this; by default none.
   */
  includes(input: In["Type"]): Readonly<Record<CommandId, string>>
  readonly input: In
  readonly output: Out
  /** Its own failures; the {@link CommonFailure}s of every command are not declared. */
  readonly failures: ReadonlyArray<FailureClass<E>>
  readonly riskNotes: ReadonlyArray<string>
  readonly outputNotes: ReadonlyArray<string>
  readonly relatedCommands: ReadonlyArray<string>
  readonly relatedResources: ReadonlyArray<string>
  readonly examples: readonly [Example, ...ReadonlyArray<Example>]
  /** True if it calls a provider: it then manages its own transactions through {@link Execution}. */
  readonly outward: boolean
  /** Whether an outward command calls a provider for this input. A run that does not is like any other change. */
  reachesOut(input: In["Type"]): boolean
  /**
   * Secret fields of the output. Only the first response has them: they are null in a dry run, in what is stored under
   * an idempotency key, and so in every repeated response.
   */
  readonly shownOnce: ReadonlyArray<string>
  readonly annotations: Annotations
  /** Shortens a full output for the compact profile. The result fits the same schema. */
  compact(output: Out["Type"]): { readonly output: Out["Type"]; readonly warnings: ReadonlyArray<string> }
  /**
   * Input fields that pin what the effect depends on, such as the hash of the text. They are added to the input of a run
   * that waits for approval, so that a person approves what was requested, and a later change is refused.
   */
  pin(input: In["Type"]): Effect.Effect<Readonly<Record<string, unknown>>, Failure, R>
  /** Runs it. A method, like `compact`, so that commands of different inputs fit one list. */
  run(input: In["Type"]): Effect.Effect<Out["Type"], E | CommonFailure, R>
  /**
   * Runs calls of one organization that came at the same time, in one transaction, and returns for each what `perform` would;
   * undefined for one that must run alone, since it would wait for another transaction or may fail after it wrote something.
   */
  runMany?(calls: ReadonlyArray<JoinedCall<In["Type"]>>): Effect.Effect<ReadonlyArray<JoinedResult>, Failure, R>
  /** Like `run`, but returns the full result, which `show` and `record.show` turn into their shapes. */
  perform(input: In["Type"]): Effect.Effect<unknown, Failure, R>
  /** The output of a result of `perform`, which may differ from it by having `StoredJson`. */
  show(result: unknown): Out["Type"]
  /** The complete record of a result, if the output is a closed shape that omits parts of it. */
  readonly record: Shape | undefined
}

/** A call among others, with the services of its run. */
export interface JoinedCall<Input> {
  readonly input: Input
  readonly context: Context.Context<Provided>
}

/** What became of a call among others. */
export type JoinedResult = Result.Result<unknown, Failure> | undefined

/** Another shape of a result. */
export interface Shape {
  readonly schema: AnySchema
  show(result: unknown): unknown
}

/** Any command; the only `any` of the kernel, for the needs of a mixed list. */
// biome-ignore lint/suspicious/noExplicitAny: a list of commands with different needs has no other common type
export type AnyCommand = Command<string, AnySchema, AnySchema, any>

/** The input as a caller may write it: fields with defaults are optional. */
export type InputEncodedOf<C extends AnyCommand> = C["input"]["Encoded"]

/** The output of a command. */
export type OutputOf<C extends AnyCommand> = C["output"]["Type"]

/** How a run of a command can fail. */
export type FailureOf<C extends AnyCommand> = FailureIn<C["failures"][number]> | CommonFailure

/** The services that a command needs from the host, beyond {@link Provided}. */
export type RequirementsOf<C> = C extends Command<string, AnySchema, AnySchema, infer R> ? Exclude<R, Provided> : never

/** The defaults of a declaration. */
const defaults = {
  visibility: "public",
  includes: () => ({}),
  outward: false,
  reachesOut: () => true,
  shownOnce: [],
  annotations: {},
  riskNotes: [],
  outputNotes: [],
  relatedCommands: [],
  relatedResources: [],
  compact: <Out>(output: Out) => ({ output, warnings: [] }),
  pin: () => Effect.succeed({})
} as const

type Optional = keyof typeof defaults | "category" | "effects" | "runMany"

/** The declaration of a command: all of its parts, some with defaults. */
export type Declaration<
  Id extends string,
  In extends AnySchema,
  Out extends AnySchema,
  R,
  E,
  Classes extends ReadonlyArray<FailureClass>,
  Result = Out["Type"]
> = Omit<Command<Id, In, Out, R>, Optional | "failures" | "run" | "perform" | "show" | "record"> &
  Partial<Pick<Command<Id, In, Out, R>, Optional>> & {
    /** Its own failures; an empty list if it has none. */
    readonly failures: Classes
    readonly run: (input: In["Type"]) => Effect.Effect<Result, E, R>
    /** Required if `run` returns more than the output. */
    readonly show?: (result: Result) => Out["Type"]
    readonly record?: { readonly schema: AnySchema; readonly show: (result: Result) => unknown }
  }

/** The command if every declared failure in `D` is among the actual failures `E`; otherwise not a command. */
export type Checked<C extends AnyCommand, E, D> = [Exclude<D, Exclude<E, CommonFailure>>] extends [never]
  ? C
  : { readonly id: C["id"]; readonly neverHappens: Exclude<D, Exclude<E, CommonFailure>> }

/** Declares a command whose `run` returns more than its output: `show` makes the output of it, `record` another shape. */
export function make<
  const Id extends string,
  In extends AnySchema,
  Out extends AnySchema,
  R,
  Result,
  const Classes extends ReadonlyArray<FailureClass>,
  E extends FailureIn<Classes[number]> | CommonFailure
>(
  declaration: Declaration<Id, In, Out, R, E, Classes, Result> & { readonly show: (result: Result) => Out["Type"] }
): Checked<Command<Id, In, Out, R, FailureIn<Classes[number]>>, E, FailureIn<Classes[number]>>
/**
 * Declares a command. A failure of `run` that `failures` does not name, or one that it names but that cannot happen, does
 * not compile.
 */
export function make<
  const Id extends string,
  In extends AnySchema,
  Out extends AnySchema,
  R,
  const Classes extends ReadonlyArray<FailureClass>,
  E extends FailureIn<Classes[number]> | CommonFailure
>(
  declaration: Declaration<Id, In, Out, R, E, Classes>
): Checked<Command<Id, In, Out, R, FailureIn<Classes[number]>>, E, FailureIn<Classes[number]>>
export function make<In extends AnySchema, Out extends AnySchema>(
  declaration: Declaration<string, In, Out, unknown, Failure, ReadonlyArray<FailureClass>>
): unknown {
  return complete(declaration)
}

/** Like {@link make}, but does not check the declared failures: for resources, which pass on those of a command. */
export function complete<const Id extends string, In extends AnySchema, Out extends AnySchema, R, E extends Failure>({
  record,
  run,
  show,
  ...declaration
}: Declaration<Id, In, Out, R, E | CommonFailure, ReadonlyArray<FailureClass<E>>>): Command<Id, In, Out, R, E> {
  return {
    category: categoryOf.get(declaration.id.split(".", 1)[0] ?? "") ?? "custom",
    effects: { does: [declaration.risk === "read" ? "reads" : "writes"], channels: [] },
    ...defaults,
    ...declaration,
    record,
    perform: run,
    run: show === undefined ? run : (input: In["Type"]) => Effect.map(run(input), show),
    show: show ?? ((output: Out["Type"]) => output)
  }
}
