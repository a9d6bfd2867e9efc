/** `svc explain CODE`: what an error code means and what to do. */
import { failureTable, NotFound, quote } from "@svc/core"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { inCliTerms } from "../cliTerms.ts"
import { out, outJson, refuse } from "../Output.ts"
import { outPaged } from "../pager.ts"
import { renderTable, stdoutSurface } from "../table.ts"
import { json } from "./flags.ts"

const readEntries = Effect.forEach(
  Object.entries(failureTable),
  ([code, { exitCode, hint, kind, retryable, status }]) =>
    Effect.map(inCliTerms(hint), (text) => ({ code, kind, status, exit_code: exitCode, retryable, hint: text }))
)

/** `svc explain`. */
export const explain = Command.make(
  "explain",
  {
    code: Argument.String("code").pipe(
      Argument.withDescription("Error code, such as WRONG_STATE; omit for all"),
      Argument.optional
    ),
    json
  },
  Effect.fnUntraced(function* ({ code, json: asJson }) {
    const entries = yield* readEntries
    if (Option.isNone(code)) {
      if (asJson) return yield* outJson({ errors: entries }, true)
      const rows = entries.map((entry) => [entry.code, entry.status, entry.exit_code, entry.hint])
      return yield* outPaged(renderTable(["code", "status", "exit", "hint"], rows, stdoutSurface(), { prose: true }))
    }
    const wanted = code.value.toUpperCase().replaceAll("-", "_")
    const entry = entries.find((known) => known.code === wanted)
    if (entry === undefined) {
      const near = entries.filter((known) => known.code.includes(wanted)).map((known) => known.code)
      const text = near.length === 0 ? "Run svc explain to list all codes." : `Did you mean ${near.join(", ")}?`
      return yield* refuse(
        new NotFound({
          kind: "error code",
          id: code.value,
          message: `Unknown error code ${quote(code.value)}. ${text}`
        }),
        asJson
      )
    }
    if (asJson) return yield* outJson(entry, true)
    yield* out(
      [
        `${entry.code}: ${entry.hint}`,
        "",
        `  HTTP status  ${entry.status}`,
        `  exit code    ${entry.exit_code}`,
        `  retry        ${entry.retryable ? "yes, after a while" : "no, fix the cause first"}`
      ].join("\n")
    )
  })
).pipe(
  Command.withDescription("Explain an error code and how to fix it"),
  Command.withExamples([{ command: "svc explain WRONG_STATE", description: "One code" }])
)
