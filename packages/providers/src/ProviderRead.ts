/** What the LinkedIn providers have in common: how reads and writes end. */
import { Unavailable as UnavailableFailure } from "@svc/core"
import { callProvider, storable } from "@svc/core/internal"
import * as Outreach from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import type { HttpClient } from "effect/http/HttpClient"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** Our key or its permissions are wrong: nothing was done, and the settings must be fixed. */
interface Misconfigured {
  readonly _tag: "Misconfigured"
  readonly detail: string
}

/** The provider failed, or its response can't be read. A read may be retried; a write may have been done. */
interface Broken {
  readonly _tag: "Broken"
  readonly detail: string
}

/** A read that returned nothing. */
export type FailedRead = Outreach.Refused | Outreach.Unavailable | Misconfigured | Broken

/** Fails with why there is no response to read. */
export const failed = (_tag: "Unavailable" | "Misconfigured" | "Broken", detail: string) =>
  Effect.fail<FailedRead>({ _tag, detail })

/** A whole response, of success or of an error. */
export type Answered = Extract<Outreach.ProviderAnswer, { readonly _tag: "Answered" }>

/** Makes a request. Fails where no whole response came. */
export const respond = (request: Parameters<typeof callProvider>[0]): Effect.Effect<Answered, FailedRead, HttpClient> =>
  Effect.flatMap(callProvider(request), (answer) => {
    if (answer._tag === "Answered") return Effect.succeed(answer)
    return failed(answer._tag === "NotSent" ? "Unavailable" : "Broken", answer.detail)
  })

/** The port's result: everything but a refusal by the provider counts as unavailable. */
export const asRefusal = (result: FailedRead): Outreach.Refused | Outreach.Unavailable =>
  result._tag === "Refused" ? result : { _tag: "Unavailable", detail: result.detail }

/** The result of a write; `settle` reads the response of success. */
export const settled = <A>(
  write: Effect.Effect<A, FailedRead>,
  settle: (response: A) => Outreach.SendResult
): Effect.Effect<Outreach.SendResult> =>
  Effect.match(write, {
    onSuccess: settle,
    onFailure: (result) => (result._tag === "Broken" ? { _tag: "Unknown", detail: result.detail } : asRefusal(result))
  })

/** What messages call the other side. */
type Provider = "The provider" | "The bridge"

/** The failure of a command or an import that needed the response. */
export const asFailure =
  (provider: Provider) =>
  (result: FailedRead): Outreach.ProviderFailure => {
    switch (result._tag) {
      case "Unavailable":
        return new UnavailableFailure({ message: `${result.detail} Try again in a few seconds.` })
      case "Misconfigured":
        return new Outreach.GatewayUnconfigured({ message: result.detail })
      case "Broken":
        return new Outreach.GatewayError({ message: `${result.detail} Try again later.` })
      case "Refused":
        return refusal(result, provider)
    }
  }

const refusal = (
  { kind, providerCode, retryAfterSeconds }: Outreach.Refused,
  provider: Provider
): Outreach.ProviderFailure => {
  const code = providerCode.slice(0, 80)
  switch (kind) {
    case "limit":
      return new Outreach.UsageLimit({
        message: `LinkedIn account limit reached (${code}). Wait, then try again.`,
        ...(retryAfterSeconds === null ? undefined : { retryAfterSeconds })
      })
    case "transient":
      return new Outreach.GatewayError({
        message: `${provider} sent an unexpected response (${code}). Try again later.`
      })
    case "account_down":
    case "account_restricted":
      return new Outreach.GatewayRejected({
        message: `${provider} can't use this LinkedIn account (${code}). Reconnect the account.`
      })
    default:
      return new Outreach.GatewayRejected({ message: `${provider} refused the request (${code}). Check its input.` })
  }
}

/** A value of a provider as the schema has it; undefined where it does not fit. */
export const readAs = <S extends Schema.ConstraintDecoder<unknown>>(schema: S, value: unknown): S["Type"] | undefined =>
  Option.getOrUndefined(Schema.decodeUnknownOption(schema)(value))

/** The decoded body of a read. Fails where it does not fit the schema. */
export const decoded = <S extends Schema.ConstraintDecoder<unknown>>(
  body: unknown,
  schema: S,
  provider: Provider
): Effect.Effect<S["Type"], FailedRead> =>
  Option.match(Schema.decodeUnknownOption(schema)(body), {
    onNone: () => failed("Broken", `${provider} sent an unexpected response.`),
    onSome: Effect.succeed
  })

/** A text of a person on one line, of at most 500 UTF-16 units; "" if it is missing. */
export const line = (text: string | undefined): string => storable(text ?? "", 500).trim()
