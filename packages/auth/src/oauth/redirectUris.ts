/** Where a browser may be sent with a code. */
import { parseUrl } from "@svc/core"

/** Schemes that browsers handle themselves, so that no installed application can own them. */
const reserved = new Set(
  (
    "about blob chrome content data devtools edge file filesystem ftp ftps gopher http intent jar javascript mailto ms-appx " +
    "resource sms tel urn vbscript view-source ws wss"
  ).split(" ")
)

const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(\/.*)?$/

/** A loopback URI without its port, in two parts; undefined for any other. */
const withoutPort = (uri: string): string | undefined => {
  const match = loopback.exec(uri)
  return match === null ? undefined : `${match[1]} ${match[2] ?? ""}`
}

/**
 * Why a redirect URI cannot be registered, or undefined if it can: https anywhere, http on this machine, or a scheme of an
 * application. It has no fragment, user, password or wildcard.
 */
export const redirectProblem = (uri: string): string | undefined => {
  const url = parseUrl(uri)
  if (url === undefined || !/^[\x21-\x7e]{1,1000}$/.test(uri) || /[\\"<>^`{|}*]/.test(uri))
    return "must be an absolute URL"
  if (uri.includes("#")) return "must not have a fragment"
  if (url.username !== "" || url.password !== "") return "must not contain a user name or password"
  const scheme = url.protocol.slice(0, -1)
  if (scheme === "https" || withoutPort(uri) !== undefined) return undefined
  if (scheme === "http") return "must be https, or http on 127.0.0.1, [::1] or localhost"
  return reserved.has(scheme) ? "must not use this scheme" : undefined
}

/** Whether a client registered a redirect URI: the same text, but for the port of one on this machine (RFC 8252, section 7.3). */
export const isRegistered = (registered: ReadonlyArray<string>, uri: string): boolean => {
  const local = withoutPort(uri)
  return registered.some((known) => known === uri || (local !== undefined && withoutPort(known) === local))
}

/** Whether any program of this machine could receive what is sent to a URI. */
export const isLocalUri = (uri: string): boolean => withoutPort(uri) !== undefined

/** Where a redirect URI leads, for people: its host, or the application's scheme. */
export const destinationOf = (uri: string): string => {
  const url = new URL(uri)
  return url.protocol === "https:" || url.protocol === "http:"
    ? url.host
    : `an application on this device (${url.protocol})`
}

/** What a page may send its form to, so that the browser follows the redirect that answers it. */
export const formTarget = (uri: string): string => {
  const url = new URL(uri)
  // A policy cannot name an IPv6 address.
  return url.origin === "null" || url.hostname.startsWith("[") ? url.protocol : url.origin
}
