/**
 * Which URLs a webhook may have. Private networks are refused, so that nobody can use the service to reach them; a host
 * may allow them. Resolved addresses are checked again at delivery.
 */

import { isIP } from "node:net"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import ipaddr from "ipaddr.js"
import { InvalidInput } from "../kernel/failure/failures.ts"
import { isLoopback } from "../kernel/schema/TextRules.ts"

/**
 * `allowPrivate` allows private networks, http and any port (`SVC_ALLOW_PRIVATE_TARGETS`); `allowLoopback` allows this
 * machine (`svc dev`).
 */
export const WebhookTargets = Context.Reference<{ readonly allowPrivate: boolean; readonly allowLoopback: boolean }>(
  "@svc/core/webhooks/WebhookTargets",
  {
    defaultValue: () => ({ allowPrivate: false, allowLoopback: false })
  }
)

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

/** Whether a text is an IP address of this machine. */
export const isLoopbackAddress = (text: string): boolean => parse(text)?.range() === "loopback"

const localNames = ["localhost", "local", "internal", "home.arpa"]

/** Whether a host name belongs to this machine or network by convention. */
export const isLocalName = (name: string): boolean => {
  const host = name.replace(/\.$/, "").toLowerCase()
  return localNames.some((local) => host === local || host.endsWith(`.${local}`))
}

const hostOf = (url: string): string => new URL(url).hostname.replace(/\.$/, "").replace(/^\[|\]$/g, "")

/** Whether a URL's host is private by itself, without resolving its name. */
export const isPrivateUrl = (url: string): boolean => {
  const host = hostOf(url)
  return isIP(host) === 0 ? isLocalName(host) : !isPublicAddress(host)
}

/** The ports of public receivers. */
const publicPorts = ["443", "8443"] as const

/** Whether a URL is https on one of {@link publicPorts}. */
export const isPublicHttps = (url: URL): boolean =>
  url.protocol === "https:" && (url.port === "" || publicPorts.some((port) => port === url.port))

const unless = "or ask the operator to set SVC_ALLOW_PRIVATE_TARGETS=true"

/** Why a valid URL is not allowed, or undefined. */
const problemOf = (text: string): string | undefined => {
  const url = new URL(text)
  if (isPrivateUrl(text)) {
    return `is in a private network, which webhooks may not reach. Use a public URL, ${unless}.`
  }
  if (url.protocol !== "https:") return `must start with https://. Use the receiver's https URL, ${unless}.`
  return isPublicHttps(url)
    ? undefined
    : `has port ${url.port}; only ${publicPorts.join(" and ")} are allowed. Use one of them, ${unless}.`
}

/**
 * Fails with INVALID_INPUT for a URL that is not allowed; the message begins with `field`. Public URLs must be https on
 * port 443 or 8443; URLs that only the host's settings allow may be any. `url` must be valid.
 */
export const requireAllowedUrl = (url: string, field: string): Effect.Effect<void, InvalidInput> =>
  Effect.flatMap(WebhookTargets, ({ allowLoopback, allowPrivate }) => {
    const isOpen = allowPrivate || (allowLoopback && isLoopback(hostOf(url)))
    const fragment = url.includes("#") ? "has a fragment (#…), which is never sent. Remove it." : undefined
    const problem = fragment ?? (isOpen ? undefined : problemOf(url))
    return problem === undefined ? Effect.void : Effect.fail(new InvalidInput({ message: `${field}: ${problem}` }))
  })
