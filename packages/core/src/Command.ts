/**
 * The unit of the product: one operation as one value.
 *
 * A command declares what it is (id, category, risk, scope), what it takes and gives (schemas), how it is explained
 * (texts, examples) and what it does (`run`). HTTP, the command line, the in-process API, OpenAPI, docs and audit are
 * read off this value; nothing about an operation is declared anywhere else. Leaving out risk, category, a schema, a
 * text or an example does not compile.
 *
 * Source: spec "Command descriptor"; architecture, "The one idea".
 */
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { Actor } from "./Actor.ts"
import type { Execution } from "./Execution.ts"
import type { Failure } from "./Failure.ts"
import type { Scope } from "./Policy.ts"

/** `read` changes nothing; `mutate` changes this workspace; `approval` is what a person may want to be asked about. */
export type Risk = "read" | "mutate" | "approval"

/** The family of a command, as the catalogue groups them. */
export type Category = "offers" | "leads" | "linkedin" | "email" | "missions" | "imports" | "agents" | "workspace"

/** A schema whose decoding and encoding need nothing. */
export type AnySchema = Schema.Codec<unknown, unknown>

/** One runnable example. Its input refers to the sample data of `svc dev --sample`; a test runs it on every surface. */
export interface Example {
  readonly title: string
  readonly input: Readonly<Record<string, unknown>>
}

/** What services a command may need beyond those that Dispatch gives to every run. */
export type Given = Actor | Execution

/** An operation. `R` is what it needs: repositories and ports. */
export interface Command<Id extends string, In extends AnySchema, Out extends AnySchema, R> {
  /** Stable for ever: lower-case words joined by `.` and `-`. */
  readonly id: Id
  readonly title: string
  /** One line. */
  readonly summary: string
  /** What it does, for a stranger, human or model. */
  readonly description: string
  readonly whenToUse: string
  readonly category: Category
  readonly risk: Risk
  /** `internal` commands back a REST representation and are never listed. */
  readonly visibility: "public" | "internal"
  readonly scope: Scope
  readonly input: In
  readonly output: Out
  readonly riskNotes: ReadonlyArray<string>
  readonly outputNotes: ReadonlyArray<string>
  readonly relatedCommands: ReadonlyArray<string>
  readonly relatedResources: ReadonlyArray<string>
  readonly examples: readonly [Example, ...ReadonlyArray<Example>]
  /** True when it reaches outside: it then manages its own transactions through {@link Execution}. */
  readonly outward: boolean
  /**
   * Fields of the output that are secrets. The first answer holds them; they are null in a dry run, in what is stored
   * under an idempotency key, and so in every repeated answer.
   */
  readonly shownOnce: ReadonlyArray<string>
  /** Largest HTTP body in bytes, where the usual megabyte is too little for the input; undefined otherwise. */
  readonly bodyLimit: number | undefined
  /** Shortens a full output for the compact profile. The result fits the same schema. */
  compact(output: Out["Type"]): { readonly output: Out["Type"]; readonly warnings: ReadonlyArray<string> }
  /** Does it. Written as a method, as `compact` is, so that commands of different inputs fit one list. */
  run(input: In["Type"]): Effect.Effect<Out["Type"], Failure, R>
}

/** A command of whatever input, output and needs; the only `any` of the kernel, for the needs of a mixed list. */
// biome-ignore lint/suspicious/noExplicitAny: a list of commands with different needs has no other common type
export type AnyCommand = Command<string, AnySchema, AnySchema, any>

/** What a command takes. */
export type InputOf<C extends AnyCommand> = C["input"]["Type"]

/** What a caller may write: fields with defaults left out. */
export type InputEncodedOf<C extends AnyCommand> = C["input"]["Encoded"]

/** What a command gives. */
export type OutputOf<C extends AnyCommand> = C["output"]["Type"]

/** What a command needs from the host beyond {@link Given}. */
export type RequirementsOf<C> = C extends Command<string, AnySchema, AnySchema, infer R> ? Exclude<R, Given> : never

/** What a declaration holds: everything of a command; the parts that most commands share have defaults. */
export type Declaration<Id extends string, In extends AnySchema, Out extends AnySchema, R> = Omit<
  Command<Id, In, Out, R>,
  | "visibility"
  | "outward"
  | "shownOnce"
  | "bodyLimit"
  | "compact"
  | "riskNotes"
  | "outputNotes"
  | "relatedCommands"
  | "relatedResources"
  | "run"
> &
  Partial<
    Pick<
      Command<Id, In, Out, R>,
      | "visibility"
      | "outward"
      | "shownOnce"
      | "bodyLimit"
      | "compact"
      | "riskNotes"
      | "outputNotes"
      | "relatedCommands"
      | "relatedResources"
    >
  > & { readonly run: (input: In["Type"]) => Effect.Effect<Out["Type"], Failure, R> }

/** Declares a command. */
export const make = <const Id extends string, In extends AnySchema, Out extends AnySchema, R>(
  declaration: Declaration<Id, In, Out, R>
): Command<Id, In, Out, R> => ({
  visibility: "public",
  outward: false,
  shownOnce: [],
  bodyLimit: undefined,
  riskNotes: [],
  outputNotes: [],
  relatedCommands: [],
  relatedResources: [],
  compact: (output) => ({ output, warnings: [] }),
  ...declaration
})
