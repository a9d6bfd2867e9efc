/** Settings of the HTTP surface. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { TrustedProxies } from "./clientAddress.ts"

/** Settings of one HTTP surface. */
export class HttpSettings extends Context.Service<
  HttpSettings,
  {
    /**
     * Origin and path prefix for links, without a trailing slash: `https://svc.example.com` (`SVC_PUBLIC_URL`); undefined in
     * a host that does not say, where links are paths below its mount. A function, because a free port is known only once
     * the server listens.
     */
    readonly publicUrl: () => string | undefined
    /** The build, sent as `Svc-Version`. */
    readonly version: string
    /** Requests per minute and key; 0 turns all limits off (`SVC_RATE_LIMIT`). */
    readonly requestsPerMinute: number
    /** Proxies whose X-Forwarded-For names the client (`SVC_TRUSTED_PROXIES`); undefined for none. */
    readonly trustedProxies: TrustedProxies | undefined
    /** Whether health and metrics are served here; false where a port of their own has them (`SVC_ADMIN_PORT`). */
    readonly health: boolean
    /** Whether the OpenAPI document, the API reference and `/llms.txt` are served. */
    readonly docs: boolean
    /** The review page; undefined where it is not served. */
    readonly review: ReviewPage | undefined
    /** The path below which this surface lies, `/outreach`; "" for none, or where a framework takes it off itself. */
    readonly mount: string
  }
>()("@svc/http/HttpSettings") {}

/** A file that the page loads, compressed beforehand. */
export interface PageAsset {
  /** Its media type, `text/javascript; charset=utf-8`. */
  readonly type: string
  readonly body: Uint8Array
  readonly brotli?: Uint8Array
  readonly gzip?: Uint8Array
}

/** A page of one HTML document and its assets. */
export interface WebPage {
  /** Names its assets as `assets/NAME`, in quoted attributes, whatever the path that it is served at. */
  readonly html: string
  /** By name, which has a hash of the content: they never change. */
  readonly assets: ReadonlyMap<string, PageAsset>
}

/** Where the page comes from, and whether it has the root. */
export interface ReviewPage {
  /** Runs once, at the first request. */
  readonly load: Effect.Effect<WebPage>
  /** Whether browsers get it at `/` too; in a host that is the host's own. */
  readonly fromRoot: boolean
}
