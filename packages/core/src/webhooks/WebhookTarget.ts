/**
 * Which URLs a webhook may have. Private networks are refused, so that nobody can use the service to reach them; a host
 * may allow them. Resolved addresses are checked again at delivery.
 */
import { BlockList, isIPv4, isIPv6 } from "node:net"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

import { InvalidInput } from "../kernel/failure/failures.ts"
import { isLoopback } from "../kernel/schema/Url.ts"

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

const ipv4Networks = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4]
] as const

/** Everything outside global unicast, and the networks within it that stand for other addresses or are reserved. */
const ipv6Networks = [
  ["::", 3],
  ["4000::", 2],
  ["8000::", 1],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20]
] as const

// Two lists, because one list would also check IPv4 addresses, as mapped ones, against the IPv6 networks.
const privateIpv4 = new BlockList()
const privateIpv6 = new BlockList()
for (const [network, prefix] of ipv4Networks) privateIpv4.addSubnet(network, prefix, "ipv4")
for (const [network, prefix] of ipv6Networks) privateIpv6.addSubnet(network, prefix, "ipv6")

/** Whether an IP address is private, local or reserved. Text that is not an IP address counts as private. */
export const isPrivateAddress = (address: string): boolean => {
  if (isIPv4(address)) return privateIpv4.check(address, "ipv4")
  return isIPv6(address) ? privateIpv6.check(address, "ipv6") : true
}

const localNames = ["localhost", "local", "internal", "home.arpa"]

/** Whether a host name belongs to this machine or network by convention. */
export const isLocalName = (name: string): boolean => {
  const host = name.replace(/\.$/, "").toLowerCase()
  return localNames.some((local) => host === local || host.endsWith(`.${local}`))
}

const hostOf = (url: string): string => new URL(url).hostname.replace(/\.$/, "").replace(/^\[|\]$/g, "")

const isAddress = (host: string): boolean => isIPv4(host) || isIPv6(host)

/** Whether a URL's host is private by itself, without resolving its name. */
export const isPrivateUrl = (url: string): boolean => {
  const host = hostOf(url)
  return isAddress(host) ? isPrivateAddress(host) : isLocalName(host)
}

/** Whether a URL's host is this machine. */
const isLoopbackUrl = (url: string): boolean => isLoopback(hostOf(url))

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
    const isOpen = allowPrivate || (allowLoopback && isLoopbackUrl(url))
    const fragment = url.includes("#") ? "has a fragment (#…), which is never sent. Remove it." : undefined
    const problem = fragment ?? (isOpen ? undefined : problemOf(url))
    return problem === undefined ? Effect.void : Effect.fail(new InvalidInput({ message: `${field}: ${problem}` }))
  })
