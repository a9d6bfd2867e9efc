/**
 * One request to a checked address: on a connection of its own, without a proxy of the environment, without redirects, and over
 * within its time limit whatever the other side does.
 */
import { type ClientRequest, request as httpRequest, type RequestOptions } from "node:http"
import { request as httpsRequest } from "node:https"
import type { LookupFunction } from "node:net"
import * as Effect from "effect/Effect"
import { checkTarget, type ResolveName, type Target, type TargetAddress } from "./checkTarget.ts"

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
