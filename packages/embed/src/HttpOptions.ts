/** What a host program serves over HTTP. */

/** What the HTTP surface of a host program serves, and where. What is off is not found. */
export interface HttpOptions {
  /** The OpenAPI document, `/docs`, its Markdown and `/llms.txt`; default true. */
  readonly docs?: boolean
  /** `/healthz` and `/readyz`; default true. */
  readonly health?: boolean
  /** The review page at `/review`, with sign-in if callers have keys; default true. */
  readonly review?: boolean
  /**
   * The path that the surface is mounted at, `/outreach`, in a framework that leaves it in a request's URL; default none.
   * Express takes it off, and needs no `mount`.
   */
  readonly mount?: string
}
