/** A file too large for a command's input, provided by a surface as a stream, such as the body of an HTTP request. */
import * as Context from "effect/Context"
import type * as Stream from "effect/Stream"
import type { PayloadTooLarge, Unavailable } from "../kernel/failure/failures.ts"

/** Why an upload ends early: the file is too large, or the sender disconnected. */
export type UploadFailure = PayloadTooLarge | Unavailable

/** A file. `content` can be read only once. */
export interface UploadedFile {
  readonly content: Stream.Stream<Uint8Array, UploadFailure>
  /** In bytes. */
  readonly size: number | undefined
  /** SHA-256 of the content as stated by the sender, in lower-case hexadecimal. */
  readonly digest: string | undefined
}

/** The uploaded file of the running command; undefined without one. */
export const Upload: Context.Reference<UploadedFile | undefined> = Context.Reference<UploadedFile | undefined>(
  "@svc/core/imports/Upload",
  { defaultValue: () => undefined }
)
