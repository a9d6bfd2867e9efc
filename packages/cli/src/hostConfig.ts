/**
 * `svc.config.js`: what a host adds to the service, as a module with `commands`, `resources`, `hooks` and `gateway`, also as
 * members of its default export. The processes that are the service load it, and help for words that nothing else has.
 */
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, resolve } from "node:path"
import { type Failure, InvalidInput } from "@svc/core"
import type { Environment, HostParts } from "@svc/embed/composition"
import * as Effect from "effect/Effect"

const defaultFiles = ["svc.config.js", "svc.config.mjs"]

/** The file of an environment; undefined if there is none. */
const fileOf = (environment: Environment): string | undefined => {
  const named = environment["SVC_CONFIG"]
  if (named !== undefined && named !== "") return resolve(named)
  return defaultFiles.map((name) => resolve(name)).find((file) => existsSync(file))
}

/** Why a module could not be loaded. */
const reasonOf = (error: unknown): string => {
  const { code, message } = Object(error)
  if (code === "ERR_REQUIRE_ASYNC_MODULE") return "it uses await outside of functions, which it can't"
  return String(message ?? error).split("\n")[0] ?? ""
}

/** What the host adds; nothing without a file. Fails with INVALID_INPUT, naming the file and what is wrong with it. */
export const loadHostConfig = (environment: Environment): Effect.Effect<HostParts, Failure> => {
  const file = fileOf(environment)
  if (file === undefined) return Effect.succeed({})
  return Effect.tryPromise({
    try: async () => {
      if (!existsSync(file)) throw new Error("file not found. Correct SVC_CONFIG")
      // Loaded on use: most runs have no such file.
      const { configParts } = await import("./configParts.ts")
      return configParts(createRequire(file)(file))
    },
    catch: (error) => new InvalidInput({ message: `${basename(file)}: ${reasonOf(error).replace(/[^.?]$/, "$&.")}` })
  })
}
