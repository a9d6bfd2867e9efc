/** What the HTTP surface is told by whoever composes it. Source: contract 3. */
import * as Context from "effect/Context"

/** Settings of one HTTP surface. */
export class HttpSettings extends Context.Service<
  HttpSettings,
  {
    /**
     * Origin and path prefix for links, without a trailing slash: `https://svc.example.com` (`SVC_PUBLIC_URL`). Asked
     * for with each request, as a free port is known only once the server listens.
     */
    readonly publicUrl: () => string
    /** The build, sent as `Svc-Version`. */
    readonly version: string
    /** Requests a minute for each key; 0 switches every limit off (`SVC_RATE_LIMIT`). */
    readonly requestsPerMinute: number
  }
>()("@svc/http/HttpSettings") {}
