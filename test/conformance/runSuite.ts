/** Runs the official conformance suite as a program. */
import { spawn } from "node:child_process"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { pathToFileURL } from "node:url"

/** A hook that lets Node 20 load the suite, which imports a name of node:fs that only later versions have and servers do not need. */
const loader = `
import { readFile } from "node:fs/promises"
export const load = async (url, context, next) => {
  if (!/conformance(-next)?\\/dist\\/index\\.js$/.test(url)) return next(url, context)
  const text = await readFile(new URL(url), "utf8")
  return { format: "module", shortCircuit: true, source: text.replace(/globSync as [a-z]+,/, "") }
}`
const olderNode = `import { register } from "node:module"
register("data:text/javascript,${encodeURIComponent(loader)}")
`

/** The suite's released version and its newest pre-release, by the name of their package here. */
export type Suite = "@modelcontextprotocol/conformance" | "mcp-conformance-next"

/** What a scenario came to: how many of its checks failed, and all of them as JSON. */
export interface Conformance {
  readonly failed: number
  readonly checks: string
}

const runSuite = async (suite: Suite, folder: string, args: ReadonlyArray<string>): Promise<string> => {
  const hook = join(folder, "hook.mjs")
  await writeFile(hook, olderNode)
  const main = createRequire(import.meta.url).resolve(`${suite}/dist/index.js`)
  const child = spawn(process.execPath, ["--import", pathToFileURL(hook).href, main, ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"]
  })
  return text(child.stdout)
}

/** The checks of a scenario, from the folder that the suite wrote for it. */
const checksOf = async (folder: string, scenario: string): Promise<string> => {
  const name = (await readdir(folder)).find((entry) => entry.startsWith(`server-${scenario}-2`))
  return name === undefined ? "no checks were saved" : readFile(join(folder, name, "checks.json"), "utf8")
}

/**
 * Runs every scenario that a suite has for servers against a URL, in one process; what each came to by its name. With a
 * revision, those that it has, in its form; without, each in the latest form that it has.
 */
export const conformance = async (
  suite: Suite,
  url: string,
  revision?: string
): Promise<ReadonlyMap<string, Conformance>> => {
  const folder = await mkdtemp(join(tmpdir(), "svc-conformance-"))
  const args = ["server", "--url", url, "--suite", "all", "-o", folder]
  const printed = await runSuite(suite, folder, revision === undefined ? args : [...args, "--spec-version", revision])
  const [, summary = ""] = printed.split("=== SUMMARY ===")
  const results = new Map<string, Conformance>()
  for (const [, scenario = "", failed] of summary.matchAll(/^. ([a-z0-9-]+): \d+ passed, (\d+) failed$/gm)) {
    results.set(scenario, { failed: Number(failed), checks: await checksOf(folder, scenario) })
  }
  await rm(folder, { recursive: true, force: true })
  return results
}
