/** What of `pg` a host hands to the service, without its types: they need those of Node. */

/** What of a client of `pg` is used. */
export interface HostClient {
  query(statement: HostStatement): PromiseLike<HostResult | ReadonlyArray<HostResult>>
}

/** A statement; values are numbered from `$1`. */
export interface HostStatement {
  readonly text: string
  readonly values?: Array<unknown>
  readonly rowMode?: "array"
  readonly types?: { readonly getTypeParser: (oid: number, format?: string) => (text: string) => unknown }
}

/** What became of a statement. */
export interface HostResult {
  readonly command: string
  readonly rows: Array<unknown>
}

/** What of a `Pool` of `pg` is used. */
export interface HostPool {
  connect(): PromiseLike<PooledClient>
  /** `max`: its connections; those of `pg` if it is not given, 10. */
  readonly options?: { readonly max?: number }
}

/** A client that was taken out of a pool. */
export interface PooledClient extends HostClient {
  release(destroy?: boolean): void
  on(event: "error", listener: () => void): unknown
  off(event: "error", listener: () => void): unknown
}
