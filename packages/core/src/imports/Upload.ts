/**
 * A file that comes in beside a command's input, too large to be a part of it: as the body of an HTTP request.
 *
 * A surface provides it to the run; commands that take no file never look.
 */
import * as Context from "effect/Context"
import type * as Stream from "effect/Stream"
import type { Failure } from "../Failure.ts"

/** The bytes of a file, to be read once, and what is known of them before. */
export interface UploadedFile {
  readonly content: Stream.Stream<Uint8Array, Failure>
  /** In bytes. */
  readonly size: number | undefined
  /** SHA-256 of the content, in lower-case hexadecimal, as the sender says. */
  readonly digest: string | undefined
}

/** The file of the running command; undefined where there is none. */
export const Upload: Context.Reference<UploadedFile | undefined> = Context.Reference<UploadedFile | undefined>(
  "@svc/core/imports/Upload",
  { defaultValue: () => undefined }
)
