/** `svc explain CODE`: what the code of an error or a reason means and what to do. */
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
      Argument.withDescription("Code of an error or a reason, such as WRONG_STATE or usage_limit; omit for all"),
      Argument.optional
    ),
    json
  },
  Effect.fnUntraced(function* ({ code, json: asJson }) {
    const entries = yield* readEntries
    // Loaded on use: other subcommands share this module.
    const { reasonTable } = yield* Effect.promise(() => import("@svc/core/outreach"))
    if (Option.isNone(code)) {
      if (asJson) return yield* outJson({ errors: entries, reasons: reasonTable }, true)
      const errors = entries.map((entry) => [entry.code, entry.status, entry.exit_code, entry.hint])
      const rows = [...errors, ...reasonTable.map(({ code, text }) => [code, null, null, text])]
      return yield* outPaged(renderTable(["code", "status", "exit", "hint"], rows, stdoutSurface(), { prose: true }))
    }
    const wanted = code.value.toUpperCase().replaceAll("-", "_")
    const reason = reasonTable.find((known) => known.code === wanted.toLowerCase())
    if (reason !== undefined) {
      if (asJson) return yield* outJson(reason, true)
      const { code, command, text, who } = reason
      const fix = command === null ? "" : `\n  command      ${yield* inCliTerms(command)}`
      return yield* out(`${code}: ${text}\n\n  can change   ${who}${fix}`)
    }
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
  Command.withDescription("Explain the code of an error or a reason"),
  Command.withExamples([{ command: "svc explain WRONG_STATE", description: "One code" }])
)
