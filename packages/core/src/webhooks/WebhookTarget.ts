/**
 * Which addresses a webhook may have. Private networks are refused, so that nobody makes the service reach what only it
 * can reach; a host may allow them. Names are checked again when they were resolved, at delivery. Source: G34.
 */
import { BlockList, isIPv4, isIPv6 } from "node:net"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { type Failure, fail } from "../Failure.ts"

/**
 * Whether webhooks may reach private addresses, and any by http or on any port (`SVC_ALLOW_PRIVATE_TARGETS`), or this
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

/** Everything outside of the networks of single public machines, and what stands for other addresses within them. */
const ipv6Networks = [
  ["::", 3],
  ["4000::", 2],
  ["8000::", 1],
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20]
] as const

// Two lists: one holds IPv4 addresses against networks of IPv6 too, among which they are all mapped.
const privateIpv4 = new BlockList()
const privateIpv6 = new BlockList()
for (const [network, prefix] of ipv4Networks) privateIpv4.addSubnet(network, prefix, "ipv4")
for (const [network, prefix] of ipv6Networks) privateIpv6.addSubnet(network, prefix, "ipv6")

/** Whether an IP address is of a private, local or reserved network. What is no address is treated as one. */
export const isPrivateAddress = (address: string): boolean => {
  if (isIPv4(address)) return privateIpv4.check(address, "ipv4")
  return isIPv6(address) ? privateIpv6.check(address, "ipv6") : true
}

const localNames = ["localhost", "local", "internal", "home.arpa"]

/** Whether a host name is one of this machine or network by convention. */
export const isLocalName = (name: string): boolean => {
  const host = name.replace(/\.$/, "").toLowerCase()
  return localNames.some((local) => host === local || host.endsWith(`.${local}`))
}

const hostOf = (url: string): string => new URL(url).hostname.replace(/\.$/, "").replace(/^\[|\]$/g, "")

const isAddress = (host: string): boolean => isIPv4(host) || isIPv6(host)

/** Whether a URL names a private place by itself, without asking anybody what a name means. */
export const isPrivateUrl = (url: string): boolean => {
  const host = hostOf(url)
  return isAddress(host) ? isPrivateAddress(host) : isLocalName(host)
}

/** Whether a URL names this machine. */
const isLoopbackUrl = (url: string): boolean => {
  const host = hostOf(url)
  return host === "::1" || host === "localhost" || (isIPv4(host) && host.startsWith("127."))
}

/** The ports of public receivers. */
export const publicPorts = ["443", "8443"] as const

/** Whether a URL is of the kind that is reached on the public internet: https, on one of {@link publicPorts}. */
export const isPublicKind = (url: URL): boolean =>
  url.protocol === "https:" && (url.port === "" || publicPorts.some((port) => port === url.port))

const unless = "or let the operator set SVC_ALLOW_PRIVATE_TARGETS=true"

/** What is wrong with an address that must not be reached, for a person. `url` is well formed. */
const problemOf = (text: string): string | undefined => {
  const url = new URL(text)
  if (isPrivateUrl(text)) {
    return `points into a private network, which webhooks may not reach. Send a public address, ${unless}.`
  }
  if (url.protocol !== "https:") return `must begin with https://. Send the https address of the receiver, ${unless}.`
  return isPublicKind(url)
    ? undefined
    : `has port ${url.port}, but only ${publicPorts.join(" and ")} are reached. Put the receiver behind one of them, ${unless}.`
}

/**
 * Fails with INVALID_INPUT for an address that must not be reached; the message begins with `field`. Public addresses are
 * https on port 443 or 8443; what a host allows beside them may be anything. `url` is well formed. Source: reliability,
 * threat D.
 */
export const requireTarget = (url: string, field: string): Effect.Effect<void, Failure> =>
  Effect.flatMap(WebhookTargets, ({ allowLoopback, allowPrivate }) => {
    const isOpen = allowPrivate || (allowLoopback && isLoopbackUrl(url))
    const fragment = url.includes("#") ? "has a part after #, which is never sent. Leave it out." : undefined
    const problem = fragment ?? (isOpen ? undefined : problemOf(url))
    return problem === undefined ? Effect.void : Effect.fail(fail("INVALID_INPUT", `${field}: ${problem}`))
  })
