/**
 * Where the provider's API is: the setting `SVC_UNIPILE_DSN`, read once at the start.
 *
 * Source: contract 7 "Sending": a URL (`http` only on loopback) or a bare host (`https`).
 */
import { type Failure, fail } from "@svc/core/Failure"
import * as Result from "effect/Result"

const wrong = (reason: string): Result.Result<never, Failure> =>
  Result.fail(
    fail(
      "INVALID_INPUT",
      `SVC_UNIPILE_DSN: ${reason} Give the host from the provider's dashboard, such as api8.example.com:13851, or a URL ` +
        "with https; http is for 127.0.0.1, ::1 and localhost only."
    )
  )

const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}$/.test(hostname)

/**
 * The address under which all routes are, without a slash at its end, such as `https://api8.example.com:13851/api/v1`.
 * Fails with INVALID_INPUT for anything that is no host, has user information, a query, a fragment or another path, or
 * would carry the key unencrypted to another machine.
 */
export const parseDsn = (text: string): Result.Result<string, Failure> => {
  const given = text.trim()
  if (given === "") return wrong("It is empty.")
  if (given.length > 300) return wrong("It is longer than 300 characters.")
  const address = given.includes("://") ? given : `https://${given}`
  if (!URL.canParse(address)) return wrong("It is not a host or a URL.")
  const url = new URL(address)
  if (url.protocol !== "https:" && url.protocol !== "http:") return wrong("Its scheme is neither https nor http.")
  if (url.protocol === "http:" && !isLoopback(url.hostname)) return wrong("It would send the key unencrypted.")
  if (url.username !== "" || url.password !== "") return wrong("It has a user name or password in it.")
  if (url.search !== "" || url.hash !== "" || !["/", "/api/v1", "/api/v1/"].includes(url.pathname)) {
    return wrong("It has a path, a query or a fragment.")
  }
  return Result.succeed(`${url.origin}/api/v1`)
}
