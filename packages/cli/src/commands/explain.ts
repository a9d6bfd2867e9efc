/** `svc explain CODE`: what an error code means and what to do. Source: contract 1.4; issue "error catalogue". */
import { fail, failureTable } from "@svc/core/Failure"
import { quote } from "@svc/core/Quote"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { out, outJson, refuse } from "../Output.ts"
import { outPaged } from "../pager.ts"
import { renderTable, stdoutSurface } from "../table.ts"
import { json } from "./flags.ts"

const entries = Object.entries(failureTable).map(([code, { exitCode, hint, kind, retryable, status }]) => ({
  code,
  kind,
  status,
  exit_code: exitCode,
  retryable,
  hint
}))

/** `svc explain`. */
export const explain = Command.make(
  "explain",
  {
    code: Argument.String("code").pipe(
      Argument.withDescription("Error code such as WRONG_STATE; all of them without one"),
      Argument.optional
    ),
    json
  },
  Effect.fnUntraced(function* ({ code, json: asJson }) {
    if (Option.isNone(code)) {
      if (asJson) return yield* outJson({ errors: entries }, true)
      const rows = entries.map((entry) => [entry.code, entry.status, entry.exit_code, entry.hint])
      return yield* outPaged(renderTable(["code", "status", "exit", "hint"], rows, stdoutSurface()))
    }
    const wanted = code.value.toUpperCase().replaceAll("-", "_")
    const entry = entries.find((known) => known.code === wanted)
    if (entry === undefined) {
      const near = entries.filter((known) => known.code.includes(wanted)).map((known) => known.code)
      const said = near.length === 0 ? "Run svc explain to see them all." : `Did you mean ${near.join(", ")}?`
      return yield* refuse(fail("NOT_FOUND", `No error has the code ${quote(code.value)}. ${said}`), asJson)
    }
    if (asJson) return yield* outJson(entry, true)
    yield* out(
      [
        `${entry.code}: ${entry.hint}`,
        "",
        `  HTTP status  ${entry.status}`,
        `  exit code    ${entry.exit_code}`,
        `  try again    ${entry.retryable ? "yes, after a while" : "no, not before something has changed"}`
      ].join("\n")
    )
  })
).pipe(
  Command.withDescription("Say what an error code means and what to do about it"),
  Command.withExamples([{ command: "svc explain WRONG_STATE", description: "One code" }])
)
