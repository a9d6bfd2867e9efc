/**
 * A `multipart/form-data` body made by hand: the ready-made one changes the line ends of a text.
 *
 * Source: RFC 7578.
 */
import { sha256Hex } from "../../../kernel/schema/Hash.ts"

/** A body and its media type. */
interface FormBody {
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** Fields in their order. A name is plain ASCII without quotes; a value is any well-formed text. */
export const formBody = (fields: ReadonlyArray<readonly [name: string, value: string]>): FormBody => {
  // No text can hold its own digest, so the boundary is in none of the values.
  const boundary = `svc-${sha256Hex(JSON.stringify(fields))}`
  const parts = fields.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  )
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    bytes: new TextEncoder().encode(`${parts.join("")}--${boundary}--\r\n`)
  }
}
