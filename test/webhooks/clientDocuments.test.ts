/** Documents of clients are read from public addresses only, without redirects, small and soon. */
import type { RequestListener } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { WebhookTargets } from "#core/webhooks/WebhookTarget.ts"
import { ClientDocuments } from "#core/workspace/authorization/Grants.ts"
import { layerWith, maxDocumentBytes } from "#providers/webhooks/HttpClientDocuments.ts"
import type { SenderOptions } from "#providers/webhooks/HttpWebhookSender.ts"
import { receiver } from "./receiver.ts"
import { loopbackSpellings, namesOfOthers, privateSpellings } from "./spellings.ts"

const here = { allowPrivate: false, allowLoopback: true }
const nowhere = { allowPrivate: false, allowLoopback: false }

const read = (url: string, rule = here, options: SenderOptions = {}) =>
  Effect.flatMap(ClientDocuments, (documents) => documents.read(url)).pipe(
    Effect.provide(layerWith(options).pipe(Layer.provide(Layer.succeed(WebhookTargets, rule))))
  )

const answering =
  (status: number, headers: Readonly<Record<string, string>>, body = "{}"): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body)

const json = { "content-type": "application/json" }

/** What a server that answers so is read as. */
const readFrom = (answer: RequestListener, options?: SenderOptions) =>
  Effect.scoped(Effect.flatMap(receiver(answer), ({ url }) => read(url, here, options)))

describe("documents of clients", () => {
  it.live("are what their server sends, and may be kept as long as it says", () =>
    Effect.gen(function* () {
      const ages = [
        [undefined, undefined],
        ["max-age=60", 60],
        ["public, max-age=7", 7],
        ["no-store", 0],
        ["private, no-cache, max-age=9", 0],
        ["nonsense", undefined]
      ] as const
      for (const [header, maxAge] of ages) {
        const headers = header === undefined ? json : { ...json, "cache-control": header }
        assert.deepStrictEqual(yield* readFrom(answering(200, headers, '{"a":1}')), {
          _tag: "Found",
          body: '{"a":1}',
          maxAge
        })
      }
    })
  )

  it.live("SSRF: no spelling of a private address is connected to, whatever a name resolves to", () =>
    Effect.gen(function* () {
      const there = yield* receiver(answering(200, json))
      for (const host of [...loopbackSpellings, ...privateSpellings]) {
        const found = yield* read(`http://${host}:${there.port}/x`, nowhere, { timeout: 60_000 })
        assert.strictEqual(found._tag, "Missing", host)
        assert.notMatch(
          found._tag === "Missing" ? found.reason : "",
          /private|network|resolve/,
          "nothing is said of networks"
        )
      }
      const rebinding = { resolve: async () => [{ address: "127.0.0.1", family: 4 as const }] }
      assert.strictEqual((yield* read(`https://client.example:${there.port}/x`, nowhere, rebinding))._tag, "Missing")
      assert.strictEqual(there.connections(), 0)
      assert.isNotEmpty(namesOfOthers)
    }).pipe(Effect.scoped)
  )

  it.live("are not followed elsewhere, and must be small JSON that comes in time", () =>
    Effect.gen(function* () {
      const target = yield* receiver(answering(200, json))
      const wrong: ReadonlyArray<readonly [RequestListener, RegExp, SenderOptions?]> = [
        [answering(302, { location: target.url }), /302/],
        [answering(404, json), /404/],
        [answering(200, { "content-type": "text/html" }), /media type/],
        [answering(200, json, "x".repeat(maxDocumentBytes + 1)), /larger than 10 KiB/],
        [(_request, response) => void response.writeHead(200, json).write("{"), /in time/, { timeout: 200 }],
        [(request) => void request.socket.destroy(), /could not be reached/]
      ]
      for (const [answer, reason, options] of wrong) {
        const found = yield* readFrom(answer, options)
        assert.match(found._tag === "Missing" ? found.reason : JSON.stringify(found), reason)
      }
      assert.strictEqual(target.connections(), 0)
      assert.strictEqual((yield* readFrom(answering(200, json, "x".repeat(maxDocumentBytes))))._tag, "Found")
    }).pipe(Effect.scoped)
  )
})
