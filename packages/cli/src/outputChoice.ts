/** What `--json`, `--json FIELDS`, `--fields`, `--jsonl` and `--jq` ask for. */
import { type Failure, InvalidInput } from "@svc/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** The flags of the output. */
export interface OutputFlags {
  readonly json: boolean
  readonly fields: Option.Option<string>
  readonly jsonl: boolean
  readonly jq: Option.Option<string>
}

/** The output that was asked for. */
export type OutputChoice =
  /** The body of the service, exactly. */
  | { readonly _tag: "Body" }
  /** For a person, or as tab-separated values. */
  | { readonly _tag: "Text"; readonly fields: ReadonlyArray<string> }
  | { readonly _tag: "Lines"; readonly fields: ReadonlyArray<string> }
  /** The chosen fields as one JSON value; without fields the body. Then `jq` may filter it. */
  | {
      readonly _tag: "Value"
      readonly fields: ReadonlyArray<string>
      readonly jq: string | undefined
    }

const invalid = (message: string) => Effect.fail(new InvalidInput({ message }))

/** The choice. Fails with INVALID_INPUT for flags that exclude each other. */
export const outputChoice = (flags: OutputFlags): Effect.Effect<OutputChoice, Failure> => {
  const { json, jsonl } = flags
  const fields = Option.isSome(flags.fields) ? flags.fields.value.split(",").map((name) => name.trim()) : []
  if (fields.includes("")) return invalid("--fields: empty name. Example: --fields name,status")
  const jq = Option.getOrUndefined(flags.jq)
  if (jsonl && (json || jq !== undefined)) {
    return invalid("--jsonl prints one value per line. Leave out --json and --jq.")
  }
  if (jsonl) return Effect.succeed({ _tag: "Lines", fields })
  if (jq !== undefined || (json && fields.length > 0)) return Effect.succeed({ _tag: "Value", fields, jq })
  return Effect.succeed(json ? { _tag: "Body" } : { _tag: "Text", fields })
}
