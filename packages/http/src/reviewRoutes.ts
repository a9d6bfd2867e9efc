/**
 * The workspace in the browser: its places, such as `/review` and `/leads/{item}`, and its assets. URLs in the page are relative, so
 * that it works below any path.
 */
import { createHash } from "node:crypto"
import { NotFound } from "@svc/core"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { acceptedEncodings, constantText, encodedAs, respondWith } from "./constantText.ts"
import { HttpSettings, type PageAsset } from "./HttpSettings.ts"
import { openRoute, type Route } from "./Route.ts"

/** Path of the review queue, below which are the assets and the session. */
const reviewPath = "/review"

/** The other places of the page, each with what is open there. */
export const workspacePlaces = ["overview", "replies", "leads", "missions", "offers", "agents", "import", "settings"]

/** What the page may load and run, and who may show it. */
const pageHeaders = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY"
}

/** An asset in the smallest encoding that a request accepts, each with its own entity tag. */
const servedAsset = ({ body, brotli, gzip, type }: PageAsset) => {
  const hash = createHash("sha256").update(body).digest("base64url").slice(0, 22)
  const variant = (encoding: string, bytes: Uint8Array) => ({
    encoding,
    encoded: encodedAs(bytes, type, `"${hash}-${encoding}"`, {
      "cache-control": "public, max-age=31536000, immutable",
      "cross-origin-resource-policy": "same-origin",
      ...(encoding === "identity" ? {} : { "content-encoding": encoding })
    })
  })
  const plain = variant("identity", body)
  const compressed = [
    ...(brotli === undefined ? [] : [variant("br", brotli)]),
    ...(gzip === undefined ? [] : [variant("gzip", gzip)])
  ]
  return (request: HttpServerRequest) => {
    const known = acceptedEncodings(request.headers["accept-encoding"])
    const { encoded } = compressed.find(({ encoding }) => known.has(encoding)) ?? plain
    return respondWith(encoded, request)
  }
}

const notFound = () => new NotFound({ kind: "path", message: "Path not found." })

/** The routes of the page, if it is served. */
export const reviewRoutes: Effect.Effect<ReadonlyArray<Route>, never, HttpSettings> = Effect.gen(function* () {
  const { review } = yield* HttpSettings
  if (review === undefined) return []
  const served = yield* Effect.cached(
    Effect.map(review.load, ({ assets, html }) => ({
      // By where the page's assets are, seen from its path.
      page: constantText("text/html; charset=utf-8", (folder) => html.replaceAll(/(["'])assets\//g, `$1${folder}`), {
        headers: pageHeaders
      }),
      assets: new Map(Array.from(assets, ([name, asset]) => [name, servedAsset(asset)]))
    }))
  )
  const page = (path: string, folder: string) =>
    openRoute("GET", path, ({ request }) => Effect.map(served, (made) => made.page(request, folder)))
  const root = openRoute("GET", "/", ({ request }) =>
    request.headers["accept"]?.includes("text/html") === true
      ? Effect.map(served, (made) => made.page(request, "review/assets/"))
      : Effect.fail(notFound())
  )
  return [
    page(reviewPath, "review/assets/"),
    page(`${reviewPath}/d/{item}`, "../assets/"),
    openRoute("GET", `${reviewPath}/assets/{name}`, ({ params, request }) =>
      Effect.flatMap(served, ({ assets }) => {
        const asset = assets.get(params["name"] ?? "")
        return asset === undefined ? Effect.fail(notFound()) : Effect.succeed(asset(request))
      })
    ),
    ...workspacePlaces.flatMap((place) => [
      page(`/${place}`, "review/assets/"),
      page(`/${place}/{item}`, "../review/assets/")
    ]),
    ...(review.fromRoot ? [root] : [])
  ]
})
