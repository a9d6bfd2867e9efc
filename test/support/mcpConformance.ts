/** The official conformance suite against a server that wants a key, which the suite cannot send. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer, request } from "node:http"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

/** A door that passes every request on as it is, with a key. */
export const keyedDoor = async (url: string, key: string) => {
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${key}` }
    const onward = request(`${url}${incoming.url ?? "/"}`, { method: incoming.method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    onward.on("error", () => outgoing.destroy())
    incoming.pipe(onward)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const close = async () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, close }
}

/** A hook that lets Node 20 load the suite, which imports a name of node:fs that only later versions have and servers do not need. */
const loader = `
import { readFile } from "node:fs/promises"
export const load = async (url, context, next) => {
  if (!url.endsWith("/conformance/dist/index.js")) return next(url, context)
  const text = await readFile(new URL(url), "utf8")
  return { format: "module", shortCircuit: true, source: text.replace(/globSync as [a-z]+,/, "") }
}`
const olderNode = `import { register } from "node:module"
register("data:text/javascript,${encodeURIComponent(loader)}")
`

/** What a run of the suite came to. */
export interface Conformance {
  readonly passed: boolean
  readonly text: string
}

const runSuite = async (args: ReadonlyArray<string>): Promise<Conformance> => {
  const folder = await mkdtemp(join(tmpdir(), "svc-conformance-"))
  const hook = join(folder, "hook.mjs")
  await writeFile(hook, olderNode)
  const main = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/dist/index.js")
  const child = spawn(process.execPath, ["--import", pathToFileURL(hook).href, main, ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"]
  })
  let text = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      text += String(chunk)
    })
  }
  const [code] = await once(child, "close")
  await rm(folder, { recursive: true, force: true })
  return { passed: code === 0, text }
}

/** Runs one scenario of the suite against an address. */
export const conformance = (url: string, scenario: string): Promise<Conformance> =>
  runSuite(["server", "--url", url, "--scenario", scenario])

/** The names of the suite's scenarios for servers. */
export const listScenarios = async (): Promise<ReadonlyArray<string>> => {
  const { text } = await runSuite(["list", "--server"])
  return [...text.matchAll(/^ {2}- ([a-z0-9-]+) /gm)].map(([, name = ""]) => name)
}
