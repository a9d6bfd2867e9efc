/** `svc dev`, `svc serve` and `svc worker`. Source: contract 2. */
import { type Failure, fail } from "@svc/core/Failure"
import { readSettings, type Settings } from "@svc/embed/Settings"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { refuse } from "../Output.ts"
import { runServer, type ServerOptions } from "../Server.ts"
import { runWorker } from "../Worker.ts"
import { json, toggle } from "./flags.ts"

const host = Flag.String("host").pipe(Flag.withDescription("Address to listen on; SVC_HOST"), Flag.optional)
const port = Flag.Int("port").pipe(Flag.withDescription("Port to listen on, 0 for a free one; SVC_PORT"), Flag.optional)

interface Given {
  readonly host: Option.Option<string>
  readonly port: Option.Option<number>
  readonly json: boolean
}

const settingsOf = ({ host: address, port: number }: Given): Effect.Effect<Settings, Failure> =>
  Effect.flatMap(Effect.fromResult(readSettings(process.env)), (settings) => {
    const chosen = Option.getOrElse(number, () => settings.port)
    if (chosen < 0 || chosen > 65_535) {
      return Effect.fail(fail("INVALID_INPUT", "--port must be a whole number from 0 to 65535."))
    }
    return Effect.succeed({ ...settings, host: Option.getOrElse(address, () => settings.host), port: chosen })
  })

const start = (given: Given, options: Omit<ServerOptions, "settings" | "json">) =>
  Effect.flatMap(settingsOf(given), (settings) => runServer({ ...options, settings, json: given.json })).pipe(
    Effect.scoped,
    Effect.catchTag("Failure", (failure) => refuse(failure, given.json))
  )

/** `svc dev`. */
export const dev = Command.make(
  "dev",
  {
    sample: toggle("sample", "Plant sample data on the first start"),
    host,
    port,
    json
  },
  ({ sample, ...given }) => start(given, { kind: "dev", worker: true, sample })
).pipe(Command.withDescription("Run everything here: embedded database in ./.svc, simulated LinkedIn, one printed key"))

/** `svc serve`. */
export const serve = Command.make(
  "serve",
  {
    noWorker: toggle("no-worker", "Only answer requests; send nothing by itself"),
    host,
    port,
    json
  },
  ({ noWorker, ...given }) => start(given, { kind: "serve", worker: !noWorker, sample: false })
).pipe(Command.withDescription("Run the server, and the worker unless --no-worker"))

/** `svc worker`. */
export const worker = Command.make("worker", { json }, (given) =>
  Effect.flatMap(Effect.fromResult(readSettings(process.env)), (settings) => runWorker(settings, given.json)).pipe(
    Effect.scoped,
    Effect.catchTag("Failure", (failure) => refuse(failure, given.json))
  )
).pipe(Command.withDescription("Send what is due, and answer no requests; any number of workers share one PostgreSQL"))
