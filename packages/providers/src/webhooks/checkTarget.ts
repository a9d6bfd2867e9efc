/**
 * Whether a request may go to a URL, decided by the IP addresses that it will connect to.
 *
 * A name is resolved once and all its addresses must be public; the request is then pinned to them, so DNS rebinding
 * changes nothing. Literal IP addresses are checked in the same way, in any spelling.
 */
import { lookup } from "node:dns/promises"
import { type ClientRequest, request as httpRequest, type RequestOptions } from "node:http"
import { request as httpsRequest } from "node:https"
import { isIP, type LookupFunction } from "node:net"
import { parseUrl } from "@svc/core"
import { isLocalName, isLoopbackAddress, isPublicAddress, isPublicHttps } from "@svc/core/internal"
import * as Effect from "effect/Effect"

/** Which private addresses are allowed. */
interface TargetRule {
  readonly allowPrivate: boolean
  readonly allowLoopback: boolean
}

/** An address to connect to. */
interface TargetAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** Resolves a name to all its addresses. Rejects as `node:dns` does. */
export type ResolveName = (name: string) => Promise<ReadonlyArray<TargetAddress>>

/** A target is allowed at these addresses only; `isPublic` when all of them are. */
type Target =
  | {
      readonly _tag: "Open"
      readonly url: URL
      readonly addresses: ReadonlyArray<TargetAddress>
      readonly isPublic: boolean
    }
  | { readonly _tag: "Closed"; readonly reason: string }

/** Whether an address may be connected to. */
export const isAllowed = (rule: TargetRule, text: string): boolean =>
  rule.allowPrivate || isPublicAddress(text) || (rule.allowLoopback && isLoopbackAddress(text))

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
  const isHere = rule.allowLoopback && addresses.every((one) => isLoopbackAddress(one.address))
  if (!rule.allowPrivate && !isHere && !isPublicHttps(url)) return unprotected
  return { _tag: "Open", url, addresses, isPublic: addresses.every((one) => isPublicAddress(one.address)) }
}

// One request to a checked address: on a connection of its own, without a proxy of the environment, without redirects, and over
// within its time limit whatever the other side does.

/** A target that may be connected to. */
export type OpenTarget = Extract<Target, { _tag: "Open" }>

/** Resolves any name to the checked addresses. */
const pinned =
  (addresses: ReadonlyArray<TargetAddress>): LookupFunction =>
  (_host, options, callback) => {
    const [first] = addresses
    if (options.all === true) return callback(null, [...addresses])
    return first === undefined
      ? callback(Object.assign(new Error("no address"), { code: "ENOTFOUND" }), "")
      : callback(null, first.address, first.family)
  }

/** Opens a request to a target. */
export const openRequest = ({ addresses, url }: OpenTarget, options: RequestOptions): ClientRequest =>
  (url.protocol === "https:" ? httpsRequest : httpRequest)(url, { agent: false, lookup: pinned(addresses), ...options })

/** Where a request goes, and how long it may take. */
interface Guard {
  readonly url: string
  readonly rule: Parameters<typeof checkTarget>[1]
  readonly resolve: ResolveName
  /** Milliseconds from the DNS lookup to the end of the response. */
  readonly timeout: number
}

/** Makes a request whose answer is what `connect` finishes with, `closed` if it may not be sent, or `timedOut`. */
export const guarded = <A>(
  { resolve, rule, timeout, url }: Guard,
  answers: { readonly closed: (reason: string) => A; readonly timedOut: A },
  connect: (target: OpenTarget, finish: (answer: A) => void) => ClientRequest
): Effect.Effect<A> =>
  Effect.callback<A>((resume) => {
    let open: ClientRequest | undefined
    let isOver = false
    const end = () => {
      isOver = true
      clearTimeout(timer)
      open?.destroy()
    }
    const finish = (answer: A) => {
      if (isOver) return
      end()
      resume(Effect.succeed(answer))
    }
    const timer = setTimeout(() => finish(answers.timedOut), timeout)
    void checkTarget(url, rule, resolve).then((target) => {
      if (isOver) return
      if (target._tag === "Closed") return finish(answers.closed(target.reason))
      open = connect(target, finish)
    })
    return Effect.sync(end)
  })
