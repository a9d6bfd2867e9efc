/** The floor: `node:http` with the same bytes and headers for the answers that never change, and nothing else. */
import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

const health = Buffer.from('{"status":"ok"}')
const catalogue = readFileSync(process.env["FLOOR_CATALOGUE"] ?? "")

const server = createServer((request, response) => {
  const body = request.url === "/healthz" ? health : catalogue
  response.writeHead(200, {
    "content-type": "application/json",
    "content-length": body.length,
    "svc-request-id": "req_00000000-0000-0000-0000-000000000000",
    "svc-version": "0.1.0",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff"
  })
  response.end(body)
})
process.once("SIGTERM", () => process.exit(0))
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`${JSON.stringify({ event: "ready", url: `http://127.0.0.1:${port}` })}\n`)
})
