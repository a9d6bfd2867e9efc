/**
 * How tools return data: as JSON text, which every client passes to its model, or as `structuredContent`, for programs.
 * Never both, since a client that passes both on doubles the tokens.
 */
import { type Failure, InvalidInput, quote } from "@svc/core"
import * as Result from "effect/Result"

/** The form of results. Tools declare an output schema only with `structured`, as it promises `structuredContent`. */
export type ResultForm = "text" | "structured"

/** Parses `text` or `structured`. Fails with INVALID_INPUT naming both. */
export const parseResultForm = (text: string): Result.Result<ResultForm, Failure> =>
  text === "text" || text === "structured"
    ? Result.succeed(text)
    : Result.fail(new InvalidInput({ message: `Unknown results ${quote(text)}. Use text or structured.` }))
