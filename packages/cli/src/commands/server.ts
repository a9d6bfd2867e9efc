/** `svc dev`, `svc serve` and `svc worker`. */
import { readSettings } from "@svc/embed/composition"
import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { invalid } from "../Output.ts"
import type { ServerOptions } from "../Server.ts"
import { asService } from "../serviceLogs.ts"
import { json, optionalInt, optionalText, toggle } from "./flags.ts"

const flags = {
  host: optionalText("host", "Host to listen on; default SVC_HOST"),
  port: optionalInt("port", "Port to listen on, 0 for a free one; default SVC_PORT"),
  json
}

type Given = Command.Command.Config.Infer<typeof flags>

const settingsOf = Effect.fnUntraced(function* (given: Given) {
  const settings = yield* Effect.fromResult(readSettings(process.env))
  const { host = settings.host, port = settings.port } = given
  if (port < 0 || port > 65_535) return yield* invalid("--port must be a whole number from 0 to 65535.")
  return { ...settings, host, port }
})

const start = (given: Given, options: Omit<ServerOptions, "settings" | "json">) =>
  asService(
    options.kind,
    given.json,
    Effect.gen(function* () {
      const settings = yield* settingsOf(given)
      const { runServer } = yield* Effect.promise(() => import("../Server.ts"))
      return yield* runServer({ ...options, settings, json: given.json })
    })
  )

/** `svc dev`. */
export const dev = Command.make(
  "dev",
  { sample: toggle("sample", "Add sample data on the first start"), ...flags },
  ({ sample, ...given }) => start(given, { kind: "dev", worker: true, sample })
).pipe(
  Command.withDescription("Run a local service: embedded database in ./.svc, simulated LinkedIn, a printed API key"),
  Command.withShortDescription("Run a local service on an embedded database")
)

/** `svc serve`. */
export const serve = Command.make(
  "serve",
  { noWorker: toggle("no-worker", "Only handle requests; do not run the worker"), ...flags },
  ({ noWorker, ...given }) => start(given, { kind: "serve", worker: !noWorker, sample: false })
).pipe(Command.withDescription("Run the server, and the worker unless --no-worker"))

/** `svc worker`. */
export const worker = Command.make("worker", { json }, (given) =>
  asService(
    "worker",
    given.json,
    Effect.gen(function* () {
      const settings = yield* Effect.fromResult(readSettings(process.env))
      const { runWorker } = yield* Effect.promise(() => import("../Server.ts"))
      return yield* runWorker(settings, given.json)
    })
  )
).pipe(
  Command.withDescription(
    "Run only the worker, without the server; any number of workers can share one PostgreSQL database"
  ),
  Command.withShortDescription("Run only the worker, without the server")
)
