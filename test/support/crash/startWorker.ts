/** Starting workers of the crash campaign from one bundle. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import type { CrashPoint } from "./crashPoints.ts"
import type { Places } from "./sendingStores.ts"

/** A worker that runs. `exited` is its end, however it came. */
export interface Worker {
  readonly child: ChildProcess
  readonly exited: Promise<NodeJS.Signals | null>
}

/** The bundle of the worker. */
export interface WorkerBundle {
  readonly start: (places: Places, crash?: { readonly at: CrashPoint; readonly on: number }) => Worker
  /** Ends what still runs, and removes the bundle. */
  readonly remove: () => Promise<void>
}

/** Bundles the worker. */
export const bundleWorker = async (): Promise<WorkerBundle> => {
  const folder = await mkdtemp(join(tmpdir(), "svc-crash-"))
  const file = join(folder, "worker.mjs")
  const esbuild = createRequire(import.meta.url).resolve("esbuild/bin/esbuild")
  const require =
    "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);"
  await promisify(execFile)(esbuild, [
    join(import.meta.dirname, "worker.ts"),
    "--bundle",
    "--platform=node",
    "--format=esm",
    "--target=node20",
    "--conditions=svc-source",
    "--log-level=error",
    `--banner:js=${require}`,
    `--outfile=${file}`
  ])
  const running = new Set<ChildProcess>()
  return {
    start: ({ databaseUrl, fakeKey, fakeUrl }, crash) => {
      const child = spawn(process.execPath, [file], {
        stdio: ["ignore", "ignore", "inherit"],
        env: {
          PATH: process.env["PATH"] ?? "",
          DATABASE_URL: databaseUrl,
          FAKE_URL: fakeUrl,
          FAKE_KEY: fakeKey,
          ...(crash === undefined ? {} : { CRASH_AT: crash.at, CRASH_ON: String(crash.on) })
        }
      })
      running.add(child)
      const exited = new Promise<NodeJS.Signals | null>((resolve) =>
        child.once("exit", (_code, signal) => {
          running.delete(child)
          resolve(signal)
        })
      )
      return { child, exited }
    },
    remove: () => {
      for (const child of running) child.kill("SIGKILL")
      return rm(folder, { recursive: true, force: true })
    }
  }
}
