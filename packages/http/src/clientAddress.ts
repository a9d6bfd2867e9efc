/** The network address that a request came from, also through proxies. */
import { BlockList, isIP } from "node:net"
import { type Failure, InvalidInput } from "@svc/core"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import * as Result from "effect/Result"

const bitsOf = { 4: 32, 6: 128 }

/** Networks of proxies; a `BlockList` of Node, whose types a host need not have. */
export interface TrustedProxies {
  readonly check: (address: string, kind: "ipv4" | "ipv6") => boolean
}

const isKind = (kind: number): kind is keyof typeof bitsOf => kind in bitsOf

/** Parses addresses and networks of proxies, separated by commas: `10.0.0.0/8, 2001:db8::1`. Fails with INVALID_INPUT. */
export const parseTrustedProxies = (text: string): Result.Result<TrustedProxies, Failure> => {
  const proxies = new BlockList()
  for (const part of text.split(",")) {
    const [, address = "", length] = /^\s*([0-9A-Fa-f:.]+)(?:\/(\d{1,3}))?\s*$/.exec(part) ?? []
    const kind = isIP(address)
    const bits = isKind(kind) ? Number(length ?? bitsOf[kind]) : 0
    if (!isKind(kind) || bits > bitsOf[kind]) {
      return Result.fail(
        new InvalidInput({ message: "must be networks separated by commas, such as 10.0.0.0/8, 2001:db8::/32" })
      )
    }
    proxies.addSubnet(address, bits, `ipv${kind}`)
  }
  return Result.succeed(proxies)
}

/** An address without what proxies add: brackets, a port, a zone, and the IPv6 form of an IPv4 address. */
const plain = (text: string): string =>
  text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/, "$1$2")
    .replace(/^::ffff:(?=[\d.]+$)|%.*$/gi, "")

/**
 * The address of the client: that of the socket, or if that is a trusted proxy, the last one in X-Forwarded-For that is not.
 * Undefined for a request without a socket.
 */
export const clientAddress = (
  { headers, remoteAddress }: HttpServerRequest,
  proxies: TrustedProxies | undefined
): string | undefined => {
  let address = plain(Option.getOrElse(remoteAddress, () => ""))
  // From the last to the first: what a trusted proxy says is true, what came before it is only what a client claims.
  for (const next of (headers["x-forwarded-for"] ?? "").split(",").map(plain).reverse()) {
    const [kind, nextKind] = [isIP(address), isIP(next)]
    if (!isKind(kind) || nextKind === 0 || proxies?.check(address, `ipv${kind}`) !== true) break
    address = next
  }
  return address || undefined
}

/** What is counted together: an IPv4 address, or the network of an IPv6 address, whose client has 64 bits to choose from. */
export const countedAddress = (address: string): string => {
  if (isIP(address) !== 6) return address
  const [before = [], after = []] = address.split("::").map((part) => part.split(":"))
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => "0")
  return [...before, ...zeros, ...after].slice(0, 4).join(":")
}
