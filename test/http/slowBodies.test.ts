/** Bodies that come in slowly: a file may take hours, what stands still is given up. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { uploadedContent } from "#http/commandRoutes.ts"
import { makeServer } from "#http/NodeServer.ts"
import { readJson } from "#http/RequestBody.ts"
import { openSocket, readRaw } from "../support/rawHttp.ts"

const standsStill = () =>
  HttpServerRequest.fromWeb(
    new Request("http://localhost/", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: new ReadableStream({ start: (sink) => sink.enqueue(new TextEncoder().encode("{")) }),
      ...{ duplex: "half" }
    })
  )

describe("a slow body", () => {
  it("of a file is not cut off by the server while it comes in", () => {
    const server = makeServer()
    assert.isAtLeast(server.requestTimeout, 3_600_000)
    assert.isAtMost(server.headersTimeout, 30_000)
  })

  it.effect("of JSON is refused after a minute", () =>
    Effect.gen(function* () {
      const reading = yield* Effect.forkChild(Effect.flip(readJson(standsStill())))
      yield* TestClock.adjust("61 seconds")
      assert.strictEqual((yield* Fiber.join(reading)).code, "INVALID_JSON")
    })
  )

  it.effect("of a file is given up a minute after its last byte, however long it took before", () =>
    Effect.gen(function* () {
      const slow = Stream.fromIterable([1, 2, 3, 4]).pipe(
        Stream.mapEffect((byte) => Effect.as(Effect.sleep("50 seconds"), Uint8Array.of(byte))),
        Stream.concat(Stream.never)
      )
      let bytes = 0
      const reading = yield* uploadedContent({ stream: slow }).pipe(
        Stream.runForEach((piece) =>
          Effect.sync(() => {
            bytes += piece.length
          })
        ),
        Effect.flip,
        Effect.forkChild
      )
      yield* TestClock.adjust("200 seconds")
      assert.strictEqual(bytes, 4)
      yield* TestClock.adjust("61 seconds")
      assert.strictEqual((yield* Fiber.join(reading)).code, "UNAVAILABLE")
    })
  )

  it("is not waited for once its request is answered", async () => {
    const server = makeServer(50)
    server.on("request", (_, response) => response.writeHead(401, { "content-length": "0" }).end())
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const socket = await openSocket(port)
    const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()))
    socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{")
    assert.strictEqual((await readRaw(socket)).status, 401)
    await closed
    const other = await openSocket(port)
    const whole = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}"
    other.write(whole)
    await readRaw(other)
    await new Promise((resolve) => setTimeout(resolve, 150))
    assert.isFalse(other.destroyed, "a connection whose request was whole is kept for the next one")
    other.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
})
