/**
 * How many requests a key and an organization may make: token buckets, in this process or in a shared store.
 *
 * A key has `requestsPerMinute` with a burst of a fifth; an organization four times that, counting only requests within
 * their key's limit. Commands that reach outside have 60 per minute and key, imports 10, all of which may come at once.
 * Unknown keys have 60 per minute and network address, and a provider's webhooks ten times as many as a key. A key can sign in
 * to the review page 10 times per minute. Endpoints that take no key have limits per network address.
 */
import { type ActorIdentity, type AnyCommand, type Failure, RateLimited, sha256Hex } from "@svc/core"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as RateLimiter from "effect/persistence/RateLimiter"
import { clientAddress, countedAddress } from "./clientAddress.ts"
import type { HttpSettings } from "./HttpSettings.ts"

/** Headers that say how much is left. */
type LimitHeaders = Readonly<Record<string, string>>

/** A failure with RATE_LIMITED, and the headers of its response. */
interface LimitReached {
  readonly failure: Failure
  readonly headers: LimitHeaders
}

/** Counts requests. Each method fails with RATE_LIMITED, which says when to retry. */
export interface RateLimits {
  /** Counts a request of a key and its organization. Succeeds with the headers of the response. */
  readonly take: (actor: ActorIdentity) => Effect.Effect<LimitHeaders, LimitReached>
  /**
   * Looks up what a request presents to say who sends it. What was not accepted here before is counted by network address first,
   * so that guesses beyond the limit cost no lookup; what is accepted then is not counted. Each kind is counted by itself.
   */
  readonly presented: <A>(
    kind: PresentedKind,
    request: HttpServerRequest,
    credential: string,
    lookup: Effect.Effect<A, Failure>
  ) => Effect.Effect<A, Failure>
  /** Counts a webhook of a provider by the token of its path. */
  readonly takeWebhook: (token: string) => Effect.Effect<void, Failure>
  /** Counts a request without a key to an endpoint for signing in, by network address. */
  readonly takeAddress: (
    endpoint: keyof typeof addressPerMinute,
    request: HttpServerRequest
  ) => Effect.Effect<void, Failure>
  /** Counts a session that a key starts. */
  readonly takeSignIn: (actor: ActorIdentity) => Effect.Effect<void, Failure>
  /** Also counts a command that reaches outside; any other is free. */
  readonly takeOutward: (
    actor: ActorIdentity,
    command: Pick<AnyCommand, "category" | "outward">
  ) => Effect.Effect<void, Failure>
}

/** What can be presented: the text of a key, any other text, which costs no lookup, and the token of a provider's webhooks. */
type PresentedKind = "key" | "text" | "webhook"

/** Most credentials that are remembered as accepted; then all are forgotten. */
const maxAccepted = 10_000

const gatewayPerMinute = 60
const importsPerMinute = 10
const unknownKeysPerMinute = 60
const signInsPerMinute = 10
/** Requests without a key, by endpoint: registering a client, tokens and revocation, the pages for people, unknown documents. */
const addressPerMinute = { register: 30, token: 300, authorize: 120, document: 30 } as const

interface Bucket {
  readonly key: string
  readonly perMinute: number
  /** How many may come at once. */
  readonly burst: number
}

const headersOf = ({ perMinute }: Bucket, remaining: number, resetSeconds: number): LimitHeaders => ({
  "ratelimit-policy": `"key";q=${perMinute};w=60`,
  ratelimit: `"key";r=${remaining};t=${resetSeconds}`,
  "x-ratelimit-limit": String(perMinute),
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": String(resetSeconds)
})

const bucketOf = (key: string, perMinute: number): Bucket => ({
  key,
  perMinute,
  burst: Math.max(1, Math.floor(perMinute / 5))
})

const keyOf = ({ keyId, organizationId, userId }: ActorIdentity): string => keyId ?? `${organizationId}/${userId}`

type LimitSettings = Pick<HttpSettings["Service"], "requestsPerMinute" | "trustedProxies">

/** Limits over the limiter's store; no limits when `requestsPerMinute` is 0. */
export const make = ({ requestsPerMinute, trustedProxies }: LimitSettings) =>
  Effect.map(RateLimiter.RateLimiter, (limiter): RateLimits => {
    /** By hash. */
    const accepted = new Set<string>()
    const addressOf = (request: HttpServerRequest): string =>
      countedAddress(clientAddress(request, trustedProxies) ?? "unknown")
    const consume = (bucket: Bucket, tokens = 1): Effect.Effect<LimitHeaders, LimitReached> => {
      if (requestsPerMinute === 0) return Effect.succeed({})
      return limiter
        .consume({
          algorithm: "token-bucket",
          key: bucket.key,
          tokens,
          limit: bucket.burst,
          window: Duration.millis((bucket.burst * 60_000) / bucket.perMinute)
        })
        .pipe(
          Effect.map((left) => headersOf(bucket, left.remaining, Math.ceil(Duration.toSeconds(left.resetAfter)))),
          Effect.catchTag("RateLimiterError", ({ reason }) => {
            // A limiter whose store is gone must not take the service down with it.
            if (reason._tag !== "RateLimitExceeded") return Effect.succeed<LimitHeaders>({})
            const seconds = Math.max(1, Math.ceil(Duration.toSeconds(reason.retryAfter)))
            const failure = new RateLimited({
              message: `More than ${bucket.perMinute} requests per minute. Retry after ${seconds} s.`,
              retryAfterSeconds: seconds
            })
            return Effect.fail({ failure, headers: headersOf(bucket, 0, seconds) })
          })
        )
    }
    const count = (bucket: Bucket): Effect.Effect<void, Failure> =>
      Effect.asVoid(Effect.mapError(consume(bucket), ({ failure }) => failure))
    return {
      take: (actor) =>
        Effect.flatMap(consume(bucketOf(`key/${keyOf(actor)}`, requestsPerMinute)), (headers) =>
          Effect.as(consume(bucketOf(`org/${actor.organizationId}`, requestsPerMinute * 4)), headers)
        ),
      presented: (kind, request, credential, lookup) => {
        if (requestsPerMinute === 0) return lookup
        const digest = sha256Hex(credential)
        const address = addressOf(request)
        // Where a host names no address, one caller's guesses must not keep everybody's new keys out.
        const isShared = address === "unknown" && kind !== "text"
        const bucket = bucketOf(`guess-${kind}/${address}`, unknownKeysPerMinute * (isShared ? 20 : 1))
        const isKnown = accepted.has(digest)
        const counted = Effect.tapError(count(bucket), () =>
          count({ key: `guess-log/${address}`, perMinute: 1, burst: 1 }).pipe(
            Effect.andThen(Effect.logWarning("Too many unknown API keys from one address", { address })),
            Effect.ignore
          )
        )
        // What takes less than nothing gives back.
        const giveBack = isKnown ? Effect.void : Effect.ignore(consume(bucket, -1))
        const looked = lookup.pipe(
          Effect.tap(() => {
            if (accepted.size >= maxAccepted) accepted.clear()
            accepted.add(digest)
            return giveBack
          }),
          Effect.tapError(({ entry }) => {
            const isRejected = entry.kind === "Unauthenticated" || entry.kind === "NotFound"
            if (isRejected) accepted.delete(digest)
            return isRejected ? Effect.void : giveBack
          })
        )
        return isKnown ? looked : Effect.andThen(counted, looked)
      },
      takeWebhook: (token) => count(bucketOf(`webhook/${sha256Hex(token)}`, requestsPerMinute * 10)),
      takeAddress: (endpoint, request) =>
        count(bucketOf(`${endpoint}/${addressOf(request)}`, addressPerMinute[endpoint])),
      takeSignIn: (actor) =>
        count({ key: `sign-in/${keyOf(actor)}`, perMinute: signInsPerMinute, burst: signInsPerMinute }),
      takeOutward: (actor, { category, outward }) => {
        if (!outward) return Effect.void
        const isImport = category === "imports"
        const perMinute = isImport ? importsPerMinute : gatewayPerMinute
        return count({ key: `${isImport ? "imports" : "gateway"}/${keyOf(actor)}`, perMinute, burst: perMinute })
      }
    }
  })
