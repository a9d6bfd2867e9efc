/** Where a bridge is. */
import { type Failure, InvalidInput, isLoopback, parseUrl } from "@svc/core"
import * as Result from "effect/Result"

/** The bridge's URL without a trailing slash. Fails with INVALID_INPUT. */
export const parseBridgeUrl = (text: string): Result.Result<string, Failure> => {
  const url = text.length <= 500 ? parseUrl(text) : undefined
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname))
  if (
    url === undefined ||
    !isSafe ||
    url.username !== "" ||
    url.password !== "" ||
    url.search !== "" ||
    url.hash !== ""
  ) {
    return Result.fail(
      new InvalidInput({
        message: "The bridge's URL must be https (http on loopback only), without credentials, query and fragment."
      })
    )
  }
  return Result.succeed(`${url.origin}${url.pathname}`.replace(/\/$/, ""))
}
