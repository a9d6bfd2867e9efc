/**
 * `fetch` that sends a body at most once.
 *
 * By its specification `fetch` sends a request again by itself when the answer is 421, unless the body is a stream,
 * which it cannot read twice. So the body becomes a stream here, with its length said, as without it would be.
 */

/** As `fetch`; a body of bytes is sent at most once, redirects are not followed. */
export const fetchOnce: typeof globalThis.fetch = (input, init) => {
  const body = init?.body
  if (!(body instanceof Uint8Array)) return globalThis.fetch(input, { ...init, redirect: "manual" })
  const headers = new Headers(init?.headers)
  headers.set("content-length", String(body.byteLength))
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => {
      if (body.byteLength > 0) controller.enqueue(body)
      controller.close()
    }
  })
  return globalThis.fetch(input, { ...init, headers, body: stream, duplex: "half", redirect: "manual" })
}
