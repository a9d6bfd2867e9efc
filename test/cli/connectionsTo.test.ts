/** A connection inside of a process, under a server and a client of HTTP that know nothing of it. */
import { createHash, randomBytes } from "node:crypto"
import type { IncomingMessage, RequestListener } from "node:http"
import { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { assert, describe, it } from "@effect/vitest"
import { connectionsTo } from "#cli/connectionsTo.ts"
import { type ServiceRequest, sendRequest } from "#cli/httpRequest.ts"

const asked = (listener: RequestListener, request: Partial<ServiceRequest>): Promise<IncomingMessage> =>
  sendRequest(
    "http://inside.invalid",
    { method: "POST", path: "/", ...request },
    { createConnection: connectionsTo(listener) }
  )

const digestOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

describe("a connection inside of a process", () => {
  it("carries large bodies both ways, whole", async () => {
    const sent = randomBytes(5_000_000)
    const pieces = Array.from({ length: 50 }, (_, at) => sent.subarray(at * 100_000, (at + 1) * 100_000))
    const response = await asked(
      async (request, response) => response.end(Buffer.concat([await buffer(request), sent])),
      { body: Readable.from(pieces) }
    )
    assert.strictEqual(digestOf(await buffer(response)), digestOf(Buffer.concat([sent, sent])))
  })

  it("holds a writer up whose reader does not read", async () => {
    let written = 0
    const endless = new Readable({
      read() {
        written += 64_000
        this.push(Buffer.alloc(64_000))
      }
    })
    const response = await asked((_, response) => response.end("enough"), { body: endless })
    assert.isBelow(written, 1_000_000)
    assert.strictEqual((await buffer(response)).toString(), "enough")
    endless.destroy()
  })

  it("ends for the client when the server gives it up, and for the server when the client does", async () => {
    const lost = await asked((_, response) => response.destroy(), {}).then(
      () => "answered",
      (error: NodeJS.ErrnoException) => error.code
    )
    assert.strictEqual(lost, "ECONNRESET")
    let tell: () => void = () => undefined
    const gone = new Promise<void>((resolve) => {
      tell = resolve
    })
    const response = await asked(
      (_, response) => {
        response.once("close", tell)
        response.write("begun")
      },
      { method: "GET" }
    )
    response.destroy()
    await gone
  })
})
