// Keeps what V8 compiles of the program in a bundle when it runs: `compile.js FOLDER command` short commands that ask a server,
// here one that knows nothing, `compile.js FOLDER service` a server that starts on an embedded database and answers: that runs
// the repositories and the client of PostgreSQL as well. A part that a run does not load gets no cache from it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import v8 from "node:v8"
import { programIn, scriptOf } from "./dist/loadProgram.js"

const [, , folder, kind] = process.argv
const scripts = new Map()
const { run } = programIn(resolve(folder), (file) => {
  const script = scriptOf(file)
  scripts.set(file, script)
  return script.runInThisContext()
})

let printed = ""
// Nobody is to see what it prints.
process.stdout.write = (text, ...rest) => {
  printed += text
  rest.at(-1)?.()
  return true
}

const command = async () => {
  const server = createServer((_, response) => {
    response.setHeader("content-type", "application/json")
    response.end('{"ok":true,"data":{"commands":[],"items":[]}}')
  })
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
  process.env.SVC_BASE_URL = `http://127.0.0.1:${server.address().port}`
  process.env.SVC_API_KEY = "svc_live_nobody"
  for (const args of [
    ["commands", "list"],
    ["offer", "list"]
  ]) {
    const exitCode = await run(args)
    if (exitCode !== 0) throw new Error(`svc ${args.join(" ")} ended with ${exitCode}.`)
  }
}

const service = async () => {
  // A service sets flags, and V8 would only accept this where they are set before anything is loaded.
  v8.setFlagsFromString = () => undefined
  delete process.env.SVC_DATABASE_URL
  const place = mkdtempSync(join(tmpdir(), "svc-compile-"))
  process.on("exit", () => rmSync(place, { recursive: true, force: true }))
  process.chdir(place)
  const ended = run(["dev", "--sample", "--json", "--port", "0"])
  while (!printed.includes("\n")) {
    const exitCode = await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 20))])
    if (exitCode !== undefined) throw new Error(`The service ended with ${exitCode}.`)
  }
  const { url } = JSON.parse(printed.slice(0, printed.indexOf("\n")))
  const key = readFileSync(".svc/dev-key", "utf8").trim()
  const answer = await fetch(`${url}/api/v1/offers`, { headers: { authorization: `Bearer ${key}` } })
  if (!answer.ok) throw new Error(`The service returned ${answer.status}.`)
  await answer.arrayBuffer()
}

await { command, service }[kind]()
for (const [file, script] of scripts) writeFileSync(`${file}.${kind}`, script.createCachedData())
process.exit()
