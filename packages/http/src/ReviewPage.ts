/** The review page as the surface serves it: built elsewhere, and given as data. */
import type * as Effect from "effect/Effect"

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

/** Where the review page comes from, and what leads there. */
export interface ReviewPage {
  /** Runs once, at the first request. */
  readonly load: Effect.Effect<WebPage>
  /** Whether `/` redirects browsers to it. */
  readonly fromRoot: boolean
}
