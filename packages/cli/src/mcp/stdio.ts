/**
 * `svc mcp`: the agent protocol over standard input and output.
 *
 * This module loads little, so that the first answer is out at once; the catalogue comes with the first list, the
 * database with the first call. Source: issue "First answer under 0.5 s, before the database is touched".
 */
import { version } from "@svc/core/Version"
import { loggingLayer } from "@svc/embed/logging"
import { silentChange } from "@svc/http/JsonText"
import { serveLines } from "@svc/mcp/overStdio"
import { parseToolset } from "@svc/mcp/toolsets"
import type { Workspace } from "@svc/mcp/Workspace"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import type { StdioOptions } from "./stdioOptions.ts"

/** Takes the output for the protocol alone: whatever else this process or a library prints goes to stderr. */
const takeOutput = (): ((line: string) => Promise<void>) => {
  const write = process.stdout.write.bind(process.stdout)
  process.stdout.write = process.stderr.write.bind(process.stderr)
  console.log = console.error
  console.info = console.error
  console.debug = console.error
  return (line) => new Promise((resolve) => write(`${line}\n`, () => resolve()))
}

/** A workspace that is found when it is first asked. */
const later = (make: Effect.Effect<Workspace>): Workspace => ({
  run: (call) => Effect.flatMap(make, ({ run }) => run(call)),
  read: (call) => Effect.flatMap(make, ({ read }) => read(call))
})

/** Serves until the input ends or the process is told to stop; answers the exit code. */
export const runStdio = async ({ baseUrl, toolset: named = "default" }: StdioOptions): Promise<number> => {
  const toolset = parseToolset(named)
  if (Result.isFailure(toolset)) {
    process.stderr.write(`svc: ${toolset.failure.message} [${toolset.failure.code}]\n`)
    return toolset.failure.entry.exitCode
  }
  const write = takeOutput()
  const program = Effect.gen(function* () {
    const scope = yield* Effect.scope
    const catalogue = yield* Effect.cached(Effect.promise(() => import("./catalogue.ts")))
    const toolbox = yield* Effect.cached(Effect.map(catalogue, ({ toolboxOf }) => toolboxOf(toolset.success)))
    const workspace = yield* Effect.cached(
      Effect.gen(function* () {
        const { targetWorkspace } = yield* Effect.promise(() => import("./targetWorkspace.ts"))
        return yield* targetWorkspace(process.env, baseUrl)
      }).pipe(Effect.provideService(Scope.Scope, scope))
    )
    const parts = {
      version,
      toolbox,
      resources: Effect.map(catalogue, ({ resourceEntries }) => resourceEntries()),
      callTool: Effect.map(catalogue, ({ callTool }) => callTool)
    }
    yield* serveLines(parts, { workspace: later(workspace) }, { input: process.stdin, write, change: silentChange })
  }).pipe(Effect.scoped, Effect.provide(loggingLayer(process.env)))
  const fiber = Effect.runFork(program)
  const stop = () => void Effect.runFork(Fiber.interrupt(fiber))
  process.once("SIGTERM", stop)
  process.once("SIGINT", stop)
  await Effect.runPromise(Fiber.await(fiber))
  return 0
}
