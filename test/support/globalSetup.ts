/**
 * Gives the tests one PostgreSQL for the whole run: that of `SVC_TEST_DATABASE_URL`, or a throwaway one, which is only
 * started when the first test asks for it, and stopped at the end.
 */
import { execFileSync } from "node:child_process"
import { createServer } from "node:net"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { TestProject } from "vitest/node"
import { selectedBackends } from "./backendSelection.ts"
import { findPostgres, type PostgresCluster, startPostgres } from "./PostgresCluster.ts"

/**
 * Where tests find PostgreSQL. `starter` is the port of a server on 127.0.0.1 that answers a connection with
 * `{"url"}` or `{"error"}`.
 */
export type ProvidedPostgres =
  | { readonly _tag: "Absent" }
  | { readonly _tag: "Given"; readonly url: string }
  | { readonly _tag: "OnDemand"; readonly starter: number }

declare module "vitest" {
  export interface ProvidedContext {
    readonly svcPostgres: ProvidedPostgres
  }
}

/** Vitest's hook; answers the end of the run. */
export const setup = async (project: TestProject): Promise<(() => Promise<void>) | undefined> => {
  execFileSync(process.execPath, [join(import.meta.dirname, "../../packages/postgres/sqlModule.js")])
  if (process.env.SVC_TEST_BACKENDS === undefined) {
    console.log(
      "PGlite runs the suites of postgres/PgliteContract.test.ts; SVC_TEST_BACKENDS=pglite runs any suite on it."
    )
  }
  const given = process.env.SVC_TEST_DATABASE_URL
  if (given !== undefined && given !== "") {
    project.provide("svcPostgres", { _tag: "Given", url: given })
    return async () => Effect.runPromise((await import("./PostgresServer.ts")).dropDatabases(given, process.pid))
  }
  if (!selectedBackends().has("postgres")) {
    project.provide("svcPostgres", { _tag: "Absent" })
    return undefined
  }
  const bin = findPostgres()
  if (bin === undefined) {
    const why = "PostgreSQL is not installed and SVC_TEST_DATABASE_URL is not set"
    if (process.env.CI === "true") throw new Error(`${why}; CI runs the tests on it.`)
    console.warn(`${why}: its tests are skipped.`)
    project.provide("svcPostgres", { _tag: "Absent" })
    return undefined
  }
  let cluster: Promise<PostgresCluster> | undefined
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    cluster ??= startPostgres(bin)
    cluster.then(
      ({ url }) => socket.end(JSON.stringify({ url })),
      (cause: unknown) => socket.end(JSON.stringify({ error: String(cause) }))
    )
  })
  const starter = await new Promise<number>((resolve) =>
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      resolve(typeof address === "object" && address !== null ? address.port : 0)
    })
  )
  project.provide("svcPostgres", { _tag: "OnDemand", starter })
  return async () => {
    server.close()
    await cluster?.then(
      ({ stop }) => stop(),
      () => undefined
    )
  }
}
