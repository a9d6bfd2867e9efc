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

const startSuite = async (suite: Suite, folder: string, args: ReadonlyArray<string>) => {
  const hook = join(folder, "hook.mjs")
  await writeFile(hook, olderNode)
  const main = createRequire(import.meta.url).resolve(`${suite}/dist/index.js`)
  return spawn(process.execPath, ["--import", pathToFileURL(hook).href, main, ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"]
  })
}

const runSuite = async (suite: Suite, folder: string, args: ReadonlyArray<string>): Promise<string> =>
  text((await startSuite(suite, folder, args)).stdout)

/** A folder that is there while it is used. */
const inFolder = async <A>(use: (folder: string) => Promise<A>): Promise<A> => {
  const folder = await mkdtemp(join(tmpdir(), "svc-conformance-"))
  return use(folder).finally(() => rm(folder, { recursive: true, force: true }))
}

/** The checks of a scenario, from the folder that the suite wrote for it. */
const checksOf = async (folder: string, scenario: string, kind = "server"): Promise<string> => {
  const name = (await readdir(folder)).find((entry) => entry.startsWith(`${kind}-${scenario}-2`))
  return name === undefined ? "no checks were saved" : readFile(join(folder, name, "checks.json"), "utf8")
}

/** What a summary says of each scenario. */
const resultsOf = async (printed: string, checks: (scenario: string) => Promise<string>) => {
  const [, summary = ""] = printed.split("=== SUMMARY ===")
  const results = new Map<string, Conformance>()
  for (const [, scenario = "", failed] of summary.matchAll(/^. ([a-z0-9-]+): \d+ passed, (\d+) failed$/gm)) {
    results.set(scenario, { failed: Number(failed), checks: await checks(scenario) })
  }
  return results
}

/**
 * Runs every scenario that a suite has for servers against a URL, in one process; what each came to by its name. With a
 * revision, those that it has, in its form; without, each in the latest form that it has.
 */
export const conformance = (suite: Suite, url: string, revision?: string): Promise<ReadonlyMap<string, Conformance>> =>
  inFolder(async (folder) => {
    const args = ["server", "--url", url, "--suite", "all", "-o", folder]
    const printed = await runSuite(suite, folder, revision === undefined ? args : [...args, "--spec-version", revision])
    return resultsOf(printed, (scenario) => checksOf(folder, scenario))
  })

/**
 * Runs every scenario for authorization servers against an issuer, as a client that registered the callback of a port; `person`
 * opens the URL that the suite wants opened.
 */
export const authorizationConformance = (
  issuer: string,
  clientId: string,
  port: number,
  person: (url: URL) => Promise<void>
): Promise<ReadonlyMap<string, Conformance>> =>
  inFolder(async (folder) => {
    const args = ["authorization", "--url", issuer, "--client-id", clientId, "--port", String(port), "-o", folder]
    const child = await startSuite("mcp-conformance-next", folder, args)
    let printed = ""
    let opened: Promise<void> | undefined
    for await (const chunk of child.stdout) {
      printed += String(chunk)
      const url = /^(http\S+\/oauth\/authorize\S+)\n/m.exec(printed)?.[1]
      if (url !== undefined && opened === undefined) opened = person(new URL(url))
    }
    await opened
    return resultsOf(printed, (scenario) => checksOf(folder, scenario, "authorization-server"))
  })

/** The scenarios for authorization servers that a suite lists. */
export const serverScenarios = (suite: Suite): Promise<ReadonlyArray<string>> =>
  inFolder(async (folder) => {
    const [, listed = ""] = (await runSuite(suite, folder, ["list"])).split("Authorization server scenarios")
    return [...listed.matchAll(/^ +- (\S+)/gm)].map(([, name = ""]) => name)
  })
