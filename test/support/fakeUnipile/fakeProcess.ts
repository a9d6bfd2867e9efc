/** Starting the fake as a process of its own, which outlives the workers that a test kills. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"

/** A fake in another process. */
export interface FakeProcess {
  readonly url: string
  readonly apiKey: string
  readonly process: ChildProcess
  /** Calls a route of `control.ts`. */
  readonly control: (name: string, body?: unknown) => Promise<unknown>
  readonly stop: () => Promise<void>
}

const esbuild = (): string => createRequire(import.meta.url).resolve("esbuild/bin/esbuild")

/** Bundles the fake and starts it. */
export const startFakeProcess = async (): Promise<FakeProcess> => {
  const folder = await mkdtemp(join(tmpdir(), "svc-fake-"))
  const file = join(folder, "main.mjs")
  const entry = join(import.meta.dirname, "main.ts")
  const flags = ["--bundle", "--platform=node", "--format=esm", "--target=node20", `--outfile=${file}`]
  await promisify(execFile)(esbuild(), [entry, ...flags, "--log-level=error"])
  const child = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] })
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", resolve)
    child.once("exit", () => reject(new Error("The fake ended before it was ready.")))
  })
  // The fake's own words, from main.ts.
  const { url, apiKey } = JSON.parse(line) as { readonly url: string; readonly apiKey: string }
  return {
    url,
    apiKey,
    process: child,
    control: async (name, body = {}) => {
      const answer = await fetch(`${url}/__fake/${name}`, { method: "POST", body: JSON.stringify(body) })
      return answer.json()
    },
    stop: async () => {
      const ended = new Promise((resolve) => child.once("exit", resolve))
      child.kill("SIGTERM")
      await ended
      await rm(folder, { recursive: true, force: true })
    }
  }
}
