import * as Data from "effect/Data"

/** Why a client gets no tokens, as RFC 6749, section 5.2 and RFC 8707 name it. `message` is for the client's developer. */
export class GrantRefused extends Data.TaggedError("GrantRefused")<{
  readonly error: "invalid_grant" | "invalid_scope" | "invalid_target"
  readonly message: string
}> {}
