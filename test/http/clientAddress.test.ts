/** Whose address a request is counted under: that of its connection, or what proxies that are trusted say. */
import { assert, describe, it } from "@effect/vitest"
import { readSettings } from "@svc/embed/composition"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { clientAddress, countedAddress, parseTrustedProxies } from "#http/clientAddress.ts"

const proxies = Result.getOrThrow(parseTrustedProxies("10.0.0.0/8, 192.0.2.7,2001:db8:1::/48 ,::1"))

const addressOf = (socket: string | undefined, forwarded: string | undefined, trusted = true) => {
  const headers = forwarded === undefined ? {} : { "x-forwarded-for": forwarded }
  const request = { headers, remoteAddress: Option.fromNullishOr(socket) } as unknown as HttpServerRequest
  return clientAddress(request, trusted ? proxies : undefined)
}

describe("the address of a client", () => {
  it.each<readonly [string | undefined, string | undefined, string | undefined]>([
    ["203.0.113.5", undefined, "203.0.113.5"],
    // Not a proxy: it may claim what it likes.
    ["203.0.113.5", "198.51.100.1", "203.0.113.5"],
    ["10.1.2.3", "198.51.100.1", "198.51.100.1"],
    // What is before the last address that is not trusted, the client has sent itself.
    ["10.1.2.3", "127.0.0.1, 198.51.100.1", "198.51.100.1"],
    ["10.1.2.3", "6.6.6.6,198.51.100.1, 10.9.9.9", "198.51.100.1"],
    ["::1", "198.51.100.1, 192.0.2.7 , 2001:db8:1::9", "198.51.100.1"],
    ["10.1.2.3", "198.51.100.1, 203.0.113.80", "203.0.113.80"],
    // Only proxies: the first.
    ["10.1.2.3", "10.0.0.1, 10.0.0.2", "10.0.0.1"],
    // Spellings.
    ["::ffff:10.1.2.3", "::ffff:198.51.100.1", "198.51.100.1"],
    ["10.1.2.3", "198.51.100.1:4711", "198.51.100.1"],
    ["10.1.2.3", "[2001:db8:9::1]:443", "2001:db8:9::1"],
    ["10.1.2.3", "fe80::1%eth0", "fe80::1"],
    // What is no address ends the walk.
    ["10.1.2.3", "unknown", "10.1.2.3"],
    ["10.1.2.3", "198.51.100.1, _hidden, 10.0.0.2", "10.0.0.2"],
    ["10.1.2.3", "", "10.1.2.3"],
    ["10.1.2.3", ",,", "10.1.2.3"],
    ["10.1.2.3", "1.2.3", "10.1.2.3"],
    ["10.1.2.3", "x".repeat(60), "10.1.2.3"],
    [undefined, "198.51.100.1", undefined]
  ])("of %s with X-Forwarded-For: %s is %s", (socket, forwarded, expected) => {
    assert.strictEqual(addressOf(socket, forwarded), expected)
    const plain = socket?.replace("::ffff:", "")
    assert.strictEqual(addressOf(socket, forwarded, false), plain, "trusts nobody unless told")
  })

  it("counts the network of an IPv6 address, whatever its host part", () => {
    const same = ["2001:db8:0:7::1", "2001:db8:0:7:ffff::", "2001:db8:0:7:1:2:3:4"].map(countedAddress)
    assert.lengthOf(new Set(same), 1)
    const others = ["2001:db8:0:8::1", "2001:db8::1", "::1", "2001:db9:0:7::1", "203.0.113.5", "203.0.113.6", "unknown"]
    assert.lengthOf(new Set([...same, ...others.map(countedAddress)]), others.length + 1)
  })

  it("stops the start for anything but networks", () => {
    for (const text of [
      "all",
      "10.0.0.0/33",
      "10.0.0/8",
      "2001:db8::/129",
      "10.0.0.0/8;::1",
      "10.0.0.0/8,",
      "a/8",
      "1.2.3.4/-1"
    ]) {
      const read = readSettings({ SVC_DATABASE_URL: "memory:", SVC_TRUSTED_PROXIES: text })
      assert.isTrue(Result.isFailure(read), text)
      const message = Result.isFailure(read) ? read.failure.message : ""
      assert.include(message, "SVC_TRUSTED_PROXIES must be networks separated by commas")
    }
  })
})
