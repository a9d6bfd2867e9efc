/**
 * Expected failures: their base class, and how to define one.
 *
 * A failure is a class with fields and a stable code. Each room defines its own in `failures.ts`; shared ones are in this
 * folder. Surfaces read `code`, `message` and `entry` and know no class.
 */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { snakeToPascal } from "effect/String"
import type { HostCode, HostStatus } from "./failureTable.ts"
import { entryOf, type FailureCode, type FailureEntry, failureTable } from "./failureTable.ts"

/**
 * Details of any failure. `message` says what is wrong and what to do next, and never contains a secret; by default it is
 * built from the class's fields or the table's summary and hint. `warnings` go to `meta.warnings`, `retryAfterSeconds` to
 * `Retry-After`.
 */
export interface FailureDetails {
  readonly message?: string
  readonly warnings?: ReadonlyArray<string>
  readonly retryAfterSeconds?: number
}

/** `LEAD_SUPPRESSED` → `LeadSuppressed`. */
type NameOf<Code extends string> = Code extends `${infer Word}_${infer Rest}`
  ? `${Capitalize<Lowercase<Word>>}${NameOf<Rest>}`
  : Capitalize<Lowercase<Code>>

const nameOf = (code: string): string => snakeToPascal(code.toLowerCase())

/** An expected failure of any class. */
export abstract class Failure extends Data.Error<FailureDetails> {
  /** The name of the class, for `Effect.catchTag`. */
  abstract readonly _tag: string
  abstract readonly code: FailureCode

  /** The table entry of this failure's code. */
  get entry(): FailureEntry {
    return failureTable[this.code]
  }

  override get message(): string {
    const { hint, summary } = this.entry
    return `${summary} ${hint}`
  }

  /** The same failure with another message, for a caller that knows more about where it happened. */
  withMessage(message: string): this {
    return Reflect.construct(this.constructor, [{ ...this, message }])
  }

  /**
   * The base class of a code's failures, to be extended under the code's name:
   * `class LeadSuppressed extends Failure.define("LEAD_SUPPRESSED")<{ readonly leadId: LeadId }> {}`.
   */
  static define<const Code extends FailureCode>(code: Code): DefinedFailure<Code> {
    class Defined extends Failure {
      static readonly code = code
      readonly _tag = nameOf(code)
      readonly code = code
    }
    Defined.prototype.name = nameOf(code)
    // The tag follows the same rule as its type, and the fields are those passed to the constructor.
    return Defined as unknown as DefinedFailure<Code>
  }
}

/** Whether an error is an expected failure. */
export const isFailure = (error: unknown): error is Failure => error instanceof Failure

/** What {@link Failure.define} returns: a constructor that takes the fields and the {@link FailureDetails}. */
export interface DefinedFailure<Code extends FailureCode> {
  readonly code: Code
  new <Fields extends object = object>(
    ...given: object extends Fields ? [details?: FailureDetails & Fields] : [details: FailureDetails & Fields]
  ): Failure & { readonly _tag: NameOf<Code>; readonly code: Code } & Readonly<Fields>
}

/** A class of failures. */
export interface FailureClass<F extends Failure = Failure> {
  readonly code: F["code"]
  new (...given: never): F
}

/** Logs a statement that took too long, with the request that it belongs to: nothing else tells an operator of it. */
export const logIfSlow = ({ code }: Failure, request: Readonly<Record<string, string>>): Effect.Effect<void> =>
  code === "STATEMENT_TIMEOUT" ? Effect.logWarning("A statement took too long", request) : Effect.void

type StoreDown = { readonly code: "UNAVAILABLE" | "STATEMENT_TIMEOUT" }

/** Whether the store failed, which says nothing about what it was asked to do. */
export const isStoreDown = <F extends Failure>(failure: F): failure is Extract<F, StoreDown> =>
  failure.code === "UNAVAILABLE" || failure.code === "STATEMENT_TIMEOUT"

/** The codes of failure classes, in alphabetical order. */
export const codesOf = (classes: ReadonlyArray<FailureClass>): ReadonlyArray<FailureCode> =>
  classes.map(({ code }) => code).toSorted()

/** The failures of a class. */
export type FailureIn<Class> = Class extends FailureClass<infer F> ? F : never

/** A failure received from another process or read from a record: its code and message are known, its fields are not. */
export class Relayed extends Failure {
  readonly _tag = "Relayed"
  readonly code: FailureCode

  constructor(code: FailureCode, details: FailureDetails = {}) {
    super(details)
    this.code = code
  }
}

/** A refusal by a rule of the host program, with a code and a status of its own. */
export class HostRefusal extends Failure {
  readonly _tag = "HostRefusal"
  readonly code: FailureCode
  readonly #status: HostStatus

  constructor(code: HostCode, status: HostStatus, details: FailureDetails) {
    super(details)
    // Only hosts make such codes, so the service compares none with them.
    this.code = code as string as FailureCode
    this.#status = status
  }

  override get entry(): FailureEntry {
    return entryOf(this.code, this.#status)
  }
}

/** A failure as `svc://errors` and `svc explain` show it. */
export const describeFailure = (code: FailureCode): FailureEntry & { readonly code: FailureCode } => ({
  code,
  ...failureTable[code]
})
