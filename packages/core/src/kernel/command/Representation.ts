/**
 * Another representation of a command, such as camelCase REST: other field names and another shape of the output, with
 * the command's own id, scopes, policies, idempotency and audit.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

import type { Failure } from "../failure/Failure.ts"
import type { AnyCommand, AnySchema } from "./Command.ts"

/** One representation of a command. */
export interface Representation {
  /** The input of the surface. */
  readonly input: AnySchema
  /** The output of the surface. */
  readonly output: AnySchema
  /** The command's input, decoded, from the surface's, decoded. */
  readonly toInput: (taken: Readonly<Record<string, unknown>>) => unknown
  /** Further input fields for what is sent apart from the input, such as a file; read if the run is stored for approval. */
  readonly extraInput?: Effect.Effect<Readonly<Record<string, unknown>>, Failure>
  /** The output of the surface, from a result of the command's `perform`. `show` shows it as the command does. */
  readonly present: (result: unknown, show?: AnyCommand["show"]) => unknown
  /** The surface's name of what a message of the command mentions: a field, or a field with its value. */
  readonly fieldName: (text: string) => string
  /** Shortens what `present` returns. */
  readonly compact: AnyCommand["compact"]
}

/** The field names that messages of the running command use; by default the command's own. */
export const FieldNames = Context.Reference<(text: string) => string>("@svc/core/FieldNames", {
  defaultValue: () => (text: string) => text
})

/** The input that is stored with a request for approval, in the command's own schema. */
export const storedInput = (
  command: AnyCommand,
  input: unknown,
  { representation, input: sent }: { readonly representation?: Representation; readonly input: unknown }
): Effect.Effect<unknown> =>
  representation === undefined ? Effect.succeed(sent) : Effect.orDie(Schema.encodeUnknownEffect(command.input)(input))
