/** Starting workers of the crash campaign from one bundle. */
import { type ChildProcess, spawn } from "node:child_process"
import { bundled } from "./bundled.ts"
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
  const { file, remove } = await bundled("worker.ts")
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
      return remove()
    }
  }
}
