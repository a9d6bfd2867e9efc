/** From a reply of the service to what is printed and the exit code. Source: contract 2. */
import { fail } from "@svc/core/Failure"
import * as Effect from "effect/Effect"
import { CliExit, exitCodeOf, note, outJson } from "../Output.ts"
import type { Reply } from "../Target.ts"

interface Body {
  readonly ok?: unknown
  readonly data?: unknown
  readonly error?: { readonly code?: unknown; readonly message?: unknown }
  readonly meta?: { readonly warnings?: unknown }
}

const bodyOf = (reply: Reply): Body => (typeof reply.body === "object" && reply.body !== null ? reply.body : {})

/** Ends the run with the refusal of a reply. With `--json` its body is printed as it came. */
const refuseReply = (reply: Reply, json: boolean): Effect.Effect<never, CliExit> => {
  const { error } = bodyOf(reply)
  const { code, message } = error ?? fail("UNAVAILABLE", `The service answered ${reply.status} without a reason.`)
  const said = json
    ? outJson(error === undefined ? { error: { message, code } } : reply.body, true)
    : note(`svc: ${String(message)} [${String(code)}]`)
  const hint =
    reply.status === 401
      ? note("svc: the key comes from SVC_API_KEY, else from the file named by SVC_API_KEY_FILE, else from svc login.")
      : Effect.void
  return Effect.andThen(
    Effect.andThen(said, hint),
    Effect.fail(new CliExit({ exitCode: exitCodeOf(String(code), reply.status) }))
  )
}

/** Tells the warnings of a reply on stderr. */
export const noteWarnings = (reply: Reply): Effect.Effect<void> => {
  const { meta } = bodyOf(reply)
  const warnings = Array.isArray(meta?.warnings) ? meta.warnings : []
  return Effect.forEach(warnings, (warning) => note(`warning: ${String(warning)}`), { discard: true })
}

/** Prints a reply: with `--json` its whole body, else its data; warnings go to stderr. */
export const printReply = (reply: Reply, json: boolean): Effect.Effect<void, CliExit> => {
  const { data, ok } = bodyOf(reply)
  if (reply.status >= 400 || ok === false || data === undefined) return refuseReply(reply, json)
  if (json) return outJson(reply.body, true)
  return Effect.andThen(noteWarnings(reply), outJson(data, false))
}
