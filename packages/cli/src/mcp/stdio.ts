/**
 * `svc mcp`: MCP over standard input and output.
 *
 * This module loads little, for a fast first reply. The catalogue is loaded with the first list, the database is opened with
 * the first call.
 */
import { parseArgs } from "node:util"
import { version } from "@svc/core"
import { loggingLayer, reviewApp } from "@svc/embed/composition"
import { jsonTextProblem } from "@svc/http"
import { parseResultForm, parseToolset, serveLines, type Workspace } from "@svc/mcp"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import { loadHostConfig } from "../hostConfig.ts"
import { writeRefusal } from "../serviceLogs.ts"

/** Options of `svc mcp`. */
interface StdioOptions {
  readonly toolset?: string | undefined
  readonly results?: string | undefined
  readonly baseUrl?: string | undefined
}

const text = { type: "string" } as const

/** Parses `svc mcp` with options; undefined for any other command line, such as subcommands and errors. */
export const stdioOptions = ([word, ...args]: ReadonlyArray<string>): StdioOptions | undefined => {
  if (word !== "mcp") return undefined
  try {
    const { values } = parseArgs({ args, options: { toolset: text, results: text, "base-url": text } })
    const { "base-url": baseUrl, ...options } = values
    return Object.values(values).includes("") ? undefined : { ...options, baseUrl }
  } catch {
    return undefined
  }
}

/** Reserves stdout for the protocol. Anything else that is printed goes to stderr. */
const reserveStdout = (): ((line: string) => Promise<void>) => {
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = process.stderr.write.bind(process.stderr)
  console.log = console.error
  console.info = console.error
  console.debug = console.error
  return (line) => new Promise((resolve) => write(`${line}\n`, () => resolve()))
}

/** A workspace that is opened on first use. */
const lazyWorkspace = (make: Effect.Effect<Workspace>): Workspace => ({
  run: (call) => Effect.flatMap(make, ({ run }) => run(call)),
  read: (call) => Effect.flatMap(make, ({ read }) => read(call)),
  reviewPage: Effect.flatMap(make, ({ reviewPage }) => reviewPage),
  from: (client) => lazyWorkspace(Effect.map(make, ({ from }) => from(client)))
})

/** Serves until the input ends or the process is stopped; resolves to the exit code. */
export const runStdio = async ({ baseUrl, results = "text", toolset: named = "default" }: StdioOptions) => {
  const parsed = Result.all({ toolset: parseToolset(named), form: parseResultForm(results) })
  if (Result.isFailure(parsed)) {
    writeRefusal(parsed.failure)
    return parsed.failure.entry.exitCode
  }
  const { form, toolset } = parsed.success
  const write = reserveStdout()
  const program = Effect.gen(function* () {
    const scope = yield* Effect.scope
    const catalogue = yield* Effect.cached(Effect.promise(() => import("./catalogue.ts")))
    // What is wrong with it is said by the calls, which need it too.
    const own = yield* Effect.cached(Effect.orElseSucceed(loadHostConfig(process.env), () => ({})))
    const toolbox = yield* Effect.cached(
      Effect.zipWith(catalogue, own, ({ toolboxOf }, parts) => toolboxOf(toolset, parts, form))
    )
    const workspace = yield* Effect.cached(
      Effect.gen(function* () {
        const { targetWorkspace } = yield* Effect.promise(() => import("./targetWorkspace.ts"))
        return yield* targetWorkspace(process.env, baseUrl)
      }).pipe(Effect.provideService(Scope.Scope, scope))
    )
    const parts = {
      version,
      toolbox,
      form,
      toolset,
      resources: Effect.zipWith(catalogue, own, ({ resourceEntries }, parts) => resourceEntries(parts)),
      reviewApp
    }
    yield* serveLines(
      parts,
      { workspace: lazyWorkspace(workspace) },
      { input: process.stdin, write, textProblem: jsonTextProblem }
    )
  }).pipe(Effect.scoped, Effect.provide(loggingLayer(process.env)))
  const fiber = Effect.runFork(program)
  const stop = () => void Effect.runFork(Fiber.interrupt(fiber))
  process.once("SIGTERM", stop)
  process.once("SIGINT", stop)
  await Effect.runPromise(Fiber.await(fiber))
  return 0
}
