/** The review page: an HTML document, and its assets by name. */
export declare const page: {
  readonly html: string
  readonly assets: ReadonlyMap<
    string,
    { readonly type: string; readonly body: Uint8Array; readonly brotli: Uint8Array; readonly gzip: Uint8Array }
  >
}

/** The app that clients of the Model Context Protocol show beside a draft: an HTML document with everything in it. */
export declare const app: string
