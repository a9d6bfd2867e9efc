/**
 * Whether a request may go to a URL, decided by the IP addresses that it will connect to.
 *
 * A name is resolved once and all its addresses must be public; the request is then pinned to them, so DNS rebinding
 * changes nothing. Literal IP addresses are checked in the same way, in any spelling.
 */

import { lookup } from "node:dns/promises"
import { isIP } from "node:net"
import { parseUrl } from "@svc/core"
import { isLocalName, isPublicHttps } from "@svc/core/webhooks"
import ipaddr from "ipaddr.js"

/** Which private addresses are allowed. */
interface TargetRule {
  readonly allowPrivate: boolean
  readonly allowLoopback: boolean
}

/** An address to connect to. */
export interface TargetAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** Resolves a name to all its addresses. Rejects as `node:dns` does. */
export type ResolveName = (name: string) => Promise<ReadonlyArray<TargetAddress>>

/** A target is allowed at these addresses only; `isPublic` when all of them are. */
export type Target =
  | {
      readonly _tag: "Open"
      readonly url: URL
      readonly addresses: ReadonlyArray<TargetAddress>
      readonly isPublic: boolean
    }
  | { readonly _tag: "Closed"; readonly reason: string }

const globalIpv6 = ipaddr.IPv6.parseCIDR("2000::/3")

/** The obsolete form of IPv4 inside IPv6, a different address than it looks like. */
const isIpv4Compatible = (text: string): boolean => /^::[0-9]+\./.test(text)

/** Reads an address, mapped IPv4 as IPv4; undefined when malformed. */
const parse = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined =>
  // Unlike the library, Node rejects forms such as `1.2.3`.
  isIP(text) !== 0 && !text.includes("%") && !isIpv4Compatible(text) ? ipaddr.process(text) : undefined

/** Whether a text is a public unicast IP address. Addresses that embed another (NAT64, 6to4, Teredo) are not. */
export const isPublicAddress = (text: string): boolean => {
  const address = parse(text)
  if (address === undefined || address.range() !== "unicast") return false
  return address instanceof ipaddr.IPv4 || address.match(globalIpv6)
}

const isAllowed = (rule: TargetRule, text: string): boolean =>
  rule.allowPrivate || isPublicAddress(text) || (rule.allowLoopback && parse(text)?.range() === "loopback")

/** Uses the system's resolver. */
export const resolveBySystem: ResolveName = async (name) => {
  const found = await lookup(name, { all: true, verbatim: true })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

const closed = (reason: string): Target => ({ _tag: "Closed", reason })

const refused = closed(
  "The URL leads into a private network, which webhooks can't reach. Use a public URL, or ask the operator to set " +
    "SVC_ALLOW_PRIVATE_TARGETS=true."
)

const unprotected = closed(
  "The URL must begin with https:// and use port 443 or 8443. Change it, or ask the operator to set " +
    "SVC_ALLOW_PRIVATE_TARGETS=true."
)

/** Why a name could not be resolved. */
const unresolved = (error: unknown): Target => {
  const code = error instanceof Error && "code" in error ? String(error.code).slice(0, 40) : "unknown"
  return closed(`The host name could not be resolved (${code}).`)
}

/** Checks where a URL leads. Never rejects. */
export const checkTarget = async (text: string, rule: TargetRule, resolve: ResolveName): Promise<Target> => {
  const url = parseUrl(text)
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return closed("The URL must be http or https.")
  }
  if (url.username !== "" || url.password !== "") return closed("The URL must not contain a user name or password.")
  const host = url.hostname.replace(/^\[|\]$/g, "")
  const isLiteral = isIP(host) !== 0
  if (!isLiteral && isLocalName(host) && !rule.allowPrivate && !rule.allowLoopback) return refused
  let addresses: ReadonlyArray<TargetAddress>
  try {
    addresses = isLiteral ? [{ address: host, family: isIP(host) === 6 ? 6 : 4 }] : await resolve(host)
  } catch (error) {
    return unresolved(error)
  }
  if (addresses.length === 0) return closed("The host name has no IP address.")
  if (!addresses.every((one) => isAllowed(rule, one.address))) return refused
  const isHere = rule.allowLoopback && addresses.every((one) => parse(one.address)?.range() === "loopback")
  if (!rule.allowPrivate && !isHere && !isPublicHttps(url)) return unprotected
  return { _tag: "Open", url, addresses, isPublic: addresses.every((one) => isPublicAddress(one.address)) }
}
