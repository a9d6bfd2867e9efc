/**
 * The fake as a process: prints one line of JSON when ready, and serves until it is told to stop.
 * `--port N` (0: any), `--key TEXT`.
 */
import { parseArgs } from "node:util"
import { startFakeUnipile } from "./FakeUnipile.ts"

const { values } = parseArgs({
  options: { port: { type: "string", default: "0" }, key: { type: "string", default: "fake-key-0123456789" } }
})
const fake = await startFakeUnipile({ port: Number(values.port), apiKey: values.key })
process.stdout.write(`${JSON.stringify({ event: "ready", url: fake.url, apiKey: fake.apiKey })}\n`)
const stop = () => void fake.close().then(() => process.exit(0))
process.on("SIGTERM", stop)
process.on("SIGINT", stop)
