// Keeps what V8 compiles of the program in a bundle when a short command asks a server, here one that knows nothing.
import { writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { exportsOf, scriptOf } from "./dist/loadProgram.js"

const file = `${process.argv[2]}/program.cjs`
const server = createServer((_, response) => {
  response.setHeader("content-type", "application/json")
  response.end('{"ok":true,"data":{"commands":[]}}')
})
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))
process.env.SVC_BASE_URL = `http://127.0.0.1:${server.address().port}`
process.env.SVC_API_KEY = "svc_live_nobody"
// Nobody is to see what it prints.
process.stdout.write = (_text, ...rest) => {
  rest.at(-1)?.()
  return true
}

const script = scriptOf(file)
const exitCode = await exportsOf(file, script).run(["commands", "list"])
if (exitCode !== 0) throw new Error(`The command ended with ${exitCode}.`)
writeFileSync(`${file}.compiled`, script.createCachedData())
process.exit()
