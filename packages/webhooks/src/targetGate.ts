/**
 * Where a request may go: decided on the addresses that it will be connected to, and on nothing else.
 *
 * A name is resolved here, once, and every address of it must be a public one; the request is then pinned to these
 * addresses, so that a name that means something else a moment later changes nothing. Addresses written as such go the
 * same way, in whatever spelling. Source: G34; reliability, threat D.
 */
import { lookup } from "node:dns/promises"
import { isIP } from "node:net"
import { isLocalName, isPublicKind } from "@svc/core/webhooks/WebhookTarget"
import ipaddr from "ipaddr.js"

/** Which private addresses may be reached all the same. */
export interface TargetRule {
  readonly allowPrivate: boolean
  readonly allowLoopback: boolean
}

/** An address to connect to. */
export interface TargetAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** What a name means: every address of it. Rejects as `node:dns` does. */
export type ResolveName = (name: string) => Promise<ReadonlyArray<TargetAddress>>

/** A target that may be reached: at these addresses only. `isPublic` when all of them are. */
export type Target =
  | {
      readonly _tag: "Open"
      readonly url: URL
      readonly addresses: ReadonlyArray<TargetAddress>
      readonly isPublic: boolean
    }
  | { readonly _tag: "Closed"; readonly reason: string }

const globalIpv6 = ipaddr.IPv6.parseCIDR("2000::/3")

/** The old way of writing IPv4 inside IPv6, which is another address than what it looks like. */
const isIpv4Compatible = (text: string): boolean => /^::[0-9]+\./.test(text)

/** An address, IPv4 inside IPv6 as what it is; undefined when it is none. */
const parse = (text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined =>
  // Node's own reading is the strict one: `1.2.3` is nothing to it.
  isIP(text) !== 0 && !text.includes("%") && !isIpv4Compatible(text) ? ipaddr.process(text) : undefined

/**
 * Whether an IP address belongs to the public internet and to one machine there. What stands for another address (NAT64,
 * 6to4, Teredo, IPv4-compatible) does not count, nor does what is no address.
 */
export const isPublicAddress = (text: string): boolean => {
  const address = parse(text)
  if (address === undefined || address.range() !== "unicast") return false
  return address instanceof ipaddr.IPv4 || address.match(globalIpv6)
}

const isAllowed = (rule: TargetRule, text: string): boolean =>
  rule.allowPrivate || isPublicAddress(text) || (rule.allowLoopback && parse(text)?.range() === "loopback")

/** Every address that the system's resolver knows. */
export const resolveBySystem: ResolveName = async (name) => {
  const found = await lookup(name, { all: true, verbatim: true })
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))
}

const closed = (reason: string): Target => ({ _tag: "Closed", reason })

const refused = closed(
  "The address leads into a private network, which webhooks may not reach. Use a public address, or let the operator set " +
    "SVC_ALLOW_PRIVATE_TARGETS=true."
)

const unprotected = closed(
  "The address must begin with https:// and have port 443 or 8443. Change it, or let the operator set " +
    "SVC_ALLOW_PRIVATE_TARGETS=true."
)

/** Why a name has no address, by the code of the failed look-up. */
const unresolved = (error: unknown): Target => {
  const code = error instanceof Error && "code" in error ? String(error.code).slice(0, 40) : "unknown"
  return closed(`The name in the address could not be resolved (${code}).`)
}

/** Looks where an address leads. Never rejects. */
export const checkTarget = async (address: string, rule: TargetRule, resolve: ResolveName): Promise<Target> => {
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) {
    return closed("The address is not an http or https address.")
  }
  if (url.username !== "" || url.password !== "") return closed("The address holds a user name or password.")
  const host = url.hostname.replace(/^\[|\]$/g, "")
  const isLiteral = isIP(host) !== 0
  if (!isLiteral && isLocalName(host) && !rule.allowPrivate && !rule.allowLoopback) return refused
  let addresses: ReadonlyArray<TargetAddress>
  try {
    addresses = isLiteral ? [{ address: host, family: isIP(host) === 6 ? 6 : 4 }] : await resolve(host)
  } catch (error) {
    return unresolved(error)
  }
  if (addresses.length === 0) return closed("The name in the address has no address.")
  if (!addresses.every((one) => isAllowed(rule, one.address))) return refused
  const isHere = rule.allowLoopback && addresses.every((one) => parse(one.address)?.range() === "loopback")
  if (!rule.allowPrivate && !isHere && !isPublicKind(url)) return unprotected
  return { _tag: "Open", url, addresses, isPublic: addresses.every((one) => isPublicAddress(one.address)) }
}
