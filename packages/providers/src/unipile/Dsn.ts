/** The base URL of the provider's API: the setting `SVC_UNIPILE_DSN`, read once at startup. */
import { type Failure, InvalidInput, isLoopback, parseUrl } from "@svc/core"
import * as Result from "effect/Result"

const invalid = (reason: string): Result.Result<never, Failure> =>
  Result.fail(
    new InvalidInput({
      message:
        `SVC_UNIPILE_DSN: ${reason} Use the host from the provider's dashboard, e.g. api8.example.com:13851, or an https ` +
        "URL; http only works for 127.0.0.1, ::1 and localhost."
    })
  )

/**
 * The base URL of all routes without a trailing slash, e.g. `https://api8.example.com:13851/api/v1`. Fails with
 * INVALID_INPUT for anything that is not a host, has credentials, a query, a fragment or another path, or would send the
 * key unencrypted to another machine.
 */
export const parseDsn = (text: string): Result.Result<string, Failure> => {
  const given = text.trim()
  if (given === "") return invalid("It is empty.")
  if (given.length > 300) return invalid("It is longer than 300 characters.")
  const withScheme = given.includes("://") ? given : `https://${given}`
  const url = parseUrl(withScheme)
  if (url === undefined) return invalid("It is not a host or a URL.")
  if (url.protocol !== "https:" && url.protocol !== "http:") return invalid("Its scheme must be https or http.")
  if (url.protocol === "http:" && !isLoopback(url.hostname)) return invalid("It would send the key unencrypted.")
  if (url.username !== "" || url.password !== "") return invalid("It must not contain a user name or password.")
  if (url.search !== "" || url.hash !== "" || !["/", "/api/v1", "/api/v1/"].includes(url.pathname)) {
    return invalid("It must not have a path, query or fragment.")
  }
  return Result.succeed(`${url.origin}/api/v1`)
}
