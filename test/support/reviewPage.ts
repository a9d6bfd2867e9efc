/** A review page of two small assets, and a service on memory that serves it as a server does. */

import { brotliCompressSync, gzipSync } from "node:zlib"
import { Composition, readSettings } from "@svc/embed/composition"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { HttpHandlers } from "#http/HttpHandlers.ts"
import type { WebPage } from "#http/HttpSettings.ts"
import { type Asked, type Reply, readReply, requestInit } from "./httpService.ts"

/** The script of the page. */
export const script = Buffer.from("document.title = 'svc'\n".repeat(20))

/** The page. */
export const smallPage: WebPage = {
  html: '<!doctype html><link rel="stylesheet" href="assets/page-1.css"><script src="assets/page-1.js"></script>',
  assets: new Map([
    [
      "page-1.js",
      {
        type: "text/javascript; charset=utf-8",
        body: script,
        brotli: brotliCompressSync(script),
        gzip: gzipSync(script)
      }
    ],
    ["page-1.css", { type: "text/css; charset=utf-8", body: Buffer.from("body{}") }]
  ])
}

/** Serves the page, until closed. `beside` may observe the service. */
export const openPage = async (
  options: Partial<Composition.CompositionOptions> = {},
  beside: Layer.Layer<never> = Layer.empty
) => {
  const settings = Effect.runSync(Effect.fromResult(readSettings({ SVC_DATABASE_URL: "memory:" })))
  const layer = Composition.fromSettings(settings, { worker: false, page: Effect.succeed(smallPage), ...options })
  const runtime = ManagedRuntime.make(Layer.provideMerge(layer, beside))
  const { fetch } = await runtime.runPromise(HttpHandlers)
  return {
    runtime,
    fetch,
    ask: async (method: string, path: string, asked: Asked = {}): Promise<Reply> =>
      readReply(await fetch(new Request(`http://svc.test${path}`, requestInit(method, { key: null, ...asked }, "")))),
    close: () => runtime.dispose()
  }
}
