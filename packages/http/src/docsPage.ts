/** The API reference at `/docs`: one self-contained page. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiScalar from "effect/http-api/HttpApiScalar"
import * as OpenApi from "effect/http-api/OpenApi"

/** What the page may load and run. */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'unsafe-inline' 'unsafe-eval'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ")

const server = "{server}"

/** The page for an OpenAPI document, by the URL of its server. */
export const docsPage = (document: Readonly<Record<string, unknown>>): Effect.Effect<(url: string) => string> =>
  Effect.scoped(
    Effect.gen(function* () {
      const api = HttpApi.make("svc").annotate(OpenApi.Transform, () => ({ ...document, servers: [{ url: server }] }))
      const page = HttpApiScalar.layer(api, {
        path: "/docs",
        scalar: { withDefaultFonts: false, theme: "default", hideModels: true }
      })
      const app = yield* HttpRouter.toHttpEffect(page)
      const request = HttpServerRequest.fromWeb(new Request("http://localhost/docs"))
      const context = Context.make(HttpServerRequest.HttpServerRequest, request)
      const response = yield* Effect.orDie(Effect.provideContext(app, context))
      const html = yield* Effect.promise(() => HttpServerResponse.toWeb(response).text())
      const [before = "", after = ""] = html.split(JSON.stringify(server))
      return (url) => `${before}${JSON.stringify(url).replaceAll("<", "\\u003c")}${after}`
    })
  )
