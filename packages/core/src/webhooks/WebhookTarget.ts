/**
 * Which addresses a webhook may have. Private networks are refused, so that nobody makes the service reach what only it
 * can reach; a host may allow them. Names are checked again when they were resolved, at delivery. Source: G34.
 */
import { BlockList, isIPv4, isIPv6 } from "node:net"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { type Failure, fail } from "../Failure.ts"

/** Whether webhooks may reach private addresses: `SVC_ALLOW_PRIVATE_TARGETS`. */
export const WebhookTargets = Context.Reference<{ readonly allowPrivate: boolean }>(
  "@svc/core/webhooks/WebhookTargets",
  {
    defaultValue: () => ({ allowPrivate: false })
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

const ipv6Networks = [
  ["::", 128],
  ["::1", 128],
  ["64:ff9b:1::", 48],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8]
] as const

const privateNetworks = new BlockList()
for (const [network, prefix] of ipv4Networks) {
  privateNetworks.addSubnet(network, prefix, "ipv4")
  // The same networks in the two notations of IPv4 inside IPv6.
  privateNetworks.addSubnet(`::ffff:${network}`, 96 + prefix, "ipv6")
  privateNetworks.addSubnet(`64:ff9b::${network}`, 96 + prefix, "ipv6")
}
for (const [network, prefix] of ipv6Networks) privateNetworks.addSubnet(network, prefix, "ipv6")

/** Whether an IP address is of a private, local or reserved network. What is no address is treated as one. */
export const isPrivateAddress = (address: string): boolean => {
  if (isIPv4(address)) return privateNetworks.check(address, "ipv4")
  return isIPv6(address) ? privateNetworks.check(address, "ipv6") : true
}

const localNames = ["localhost", "local", "internal", "home.arpa"]

/** Whether a URL names a private place by itself, without asking anybody what a name means. */
export const isPrivateUrl = (url: string): boolean => {
  const host = new URL(url).hostname.replace(/\.$/, "")
  if (host.startsWith("[")) return isPrivateAddress(host.slice(1, -1))
  if (isIPv4(host)) return isPrivateAddress(host)
  return localNames.some((name) => host === name || host.endsWith(`.${name}`))
}

/** Fails with INVALID_INPUT for an address that must not be reached. `url` is well formed. */
export const requireTarget = (url: string): Effect.Effect<void, Failure> =>
  Effect.flatMap(WebhookTargets, ({ allowPrivate }) =>
    allowPrivate || !isPrivateUrl(url)
      ? Effect.void
      : Effect.fail(
          fail(
            "INVALID_INPUT",
            "url: points into a private network, which webhooks may not reach. Send a public address, or let the operator " +
              "set SVC_ALLOW_PRIVATE_TARGETS=true."
          )
        )
  )
