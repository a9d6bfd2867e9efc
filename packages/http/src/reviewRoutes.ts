/**
 * The review page: `/review`, its deep links `/review/d/{item}`, and its assets. URLs in the page are relative, so that it works
 * below any path.
 */
import { createHash } from "node:crypto"
import { NotFound } from "@svc/core"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { acceptedEncodings, constantText, isKnown } from "./constantText.ts"
import { HttpSettings } from "./HttpSettings.ts"
import type { PageAsset } from "./ReviewPage.ts"
import type { Route } from "./Route.ts"

/** Path of the page. */
const reviewPath = "/review"

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

type Served = (headers: Readonly<Record<string, string | undefined>>) => HttpServerResponse.HttpServerResponse

/** An asset in the smallest encoding that a request accepts, each with its own entity tag. */
const servedAsset = ({ body, brotli, gzip, type: contentType }: PageAsset): Served => {
  const hash = createHash("sha256").update(body).digest("base64url").slice(0, 22)
  const variant = (encoding: string, bytes: Uint8Array) => {
    const etag = `"${hash}-${encoding}"`
    const headers = {
      etag,
      "cache-control": "public, max-age=31536000, immutable",
      "cross-origin-resource-policy": "same-origin",
      vary: "accept-encoding",
      ...(encoding === "identity" ? {} : { "content-encoding": encoding })
    }
    return {
      encoding,
      etag,
      notChanged: HttpServerResponse.empty({ status: 304, headers }),
      whole: HttpServerResponse.uint8Array(bytes, { contentType, headers })
    }
  }
  const plain = variant("identity", body)
  const compressed = [
    ...(brotli === undefined ? [] : [variant("br", brotli)]),
    ...(gzip === undefined ? [] : [variant("gzip", gzip)])
  ]
  return (headers) => {
    const known = acceptedEncodings(headers["accept-encoding"])
    const { etag, notChanged, whole } = compressed.find(({ encoding }) => known.has(encoding)) ?? plain
    return isKnown(headers["if-none-match"], etag) ? notChanged : whole
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
  const open = (path: string, handle: Extract<Route, { access: "open" }>["handle"]): Route => ({
    method: "GET",
    path,
    access: "open",
    handle
  })
  const page = (path: string, folder: string) =>
    open(path, ({ request }) => Effect.map(served, (made) => made.page(request, folder)))
  const root = open("/", ({ request }) =>
    request.headers["accept"]?.includes("text/html") === true
      ? Effect.succeed(HttpServerResponse.empty({ status: 302, headers: { location: reviewPath.slice(1) } }))
      : Effect.fail(notFound())
  )
  return [
    page(reviewPath, "review/assets/"),
    page(`${reviewPath}/d/{item}`, "../assets/"),
    open(`${reviewPath}/assets/{name}`, ({ params, request }) =>
      Effect.flatMap(served, ({ assets }) => {
        const asset = assets.get(params["name"] ?? "")
        return asset === undefined ? Effect.fail(notFound()) : Effect.succeed(asset(request.headers))
      })
    ),
    ...(review.fromRoot ? [root] : [])
  ]
})
