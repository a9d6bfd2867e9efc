/**
 * A snapshot of PGlite whose databases keep little in memory. PGlite clears the whole of its cache, 128 MB as it comes, each
 * time that it opens a database: a third of what opening one costs, which tests do hundreds of times.
 */
import { gunzipSync, gzipSync } from "node:zlib"

const usual = "shared_buffers = 128MB"
/** Of the same length, since it stands in an archive. */
const small = "shared_buffers =  16MB"

/** The archive with the other setting. Throws if it has not got the usual one. */
export const withSmallBuffers = (archive: Uint8Array): Uint8Array => {
  const files = gunzipSync(archive)
  const at = files.indexOf(usual)
  if (at === -1) throw new Error(`The snapshot does not say ${usual}.`)
  files.write(small, at, "latin1")
  return gzipSync(files, { level: 1 })
}
