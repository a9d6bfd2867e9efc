/** `svc api METHOD PATH`: any request to the service. */
import { type Failure, InvalidInput } from "@svc/core"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { readInputJson } from "../InputJson.ts"
import { CliExit, exitCodeOf, out, outJson } from "../Output.ts"
import type { Reply, Target } from "../Target.ts"
import { baseUrl, jq, json, optionalText } from "./flags.ts"
import { withTarget } from "./withTarget.ts"

const methods = ["GET", "POST", "PATCH", "PUT", "DELETE"] as const

/** The path below the base URL; `/api/v1` may be left out. Fails with INVALID_INPUT for a URL. */
const pathOf = (text: string): Effect.Effect<string, Failure> => {
  if (/^[a-z]+:|^\/\//i.test(text)) {
    return Effect.fail(
      new InvalidInput({ message: "<path> must be a path such as /api/v1/offers. Use --base-url for another service." })
    )
  }
  const path = text.startsWith("/") ? text : `/${text}`
  return Effect.succeed(/^\/(api|healthz|readyz|metrics|docs)\b/.test(path) ? path : `/api/v1${path}`)
}

const print = Effect.fnUntraced(function* ({ body, status }: Reply, filter: Option.Option<string>, asJson: boolean) {
  if (Option.isSome(filter) && status < 400) {
    const { runJq } = yield* Effect.promise(() => import("../jqFilter.ts"))
    yield* out(yield* runJq(body, filter.value))
  } else yield* outJson(body, asJson)
  const code = Object(Object(body).error).code
  if (status >= 400) return yield* new CliExit({ exitCode: exitCodeOf(String(code), status) })
})

/** `svc api`. */
export const api = Command.make(
  "api",
  {
    method: Argument.Literals("method", methods).pipe(Argument.withDescription("Method of the request")),
    path: Argument.String("path").pipe(Argument.withDescription("Path, such as /offers?limit=5")),
    input: optionalText("input-json", "Body as JSON, @FILE, or - for stdin"),
    jq,
    baseUrl,
    json
  },
  ({ input, jq: filter, method, path: given, ...common }) =>
    withTarget(
      common,
      Effect.fnUntraced(function* (target: Target) {
        const path = yield* pathOf(given)
        const body = Option.isSome(input) ? { json: yield* readInputJson(input.value) } : {}
        yield* print(yield* target.send({ method, path, ...body }), filter, common.json)
      }),
      true
    )
).pipe(
  Command.withDescription("Send any request to the service and print the body of its response"),
  Command.withShortDescription("Send a request to the API"),
  Command.withExamples([
    { command: "svc api GET '/missions?limit=5' --jq '.data.missions[].handle'", description: "Handles of missions" },
    { command: `svc api PATCH /offers/sample-offer --input-json '{"name":"New name"}'`, description: "Change an offer" }
  ])
)
