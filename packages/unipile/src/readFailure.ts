/**
 * A read that found nothing, as the port's callers are told: a failure of the product, or one of the port's answers.
 *
 * Source: contract 1.4; mission research 5.2, mapping.
 */
import { type Failure, fail } from "@svc/core/Failure"
import type { Refused, Unavailable } from "@svc/core/linkedin/LinkedInGateway"
import { keyTrouble, type ReadEnd } from "./UnipileClient.ts"

/** A read without result. */
export type Missed = Exclude<ReadEnd, { readonly _tag: "Found" }>

/** What the port answers where a look is asked for: whatever is no refusal by the provider is unavailability. */
export const asPortAnswer = (end: Missed): Refused | Unavailable => {
  switch (end._tag) {
    case "Misconfigured":
      return { _tag: "Unavailable", detail: keyTrouble(end.providerCode) }
    case "Broken":
      return { _tag: "Unavailable", detail: end.detail }
    default:
      return end
  }
}

/** The failure of a command or an import that needed the answer. */
export const asFailure = (end: Missed): Failure => {
  switch (end._tag) {
    case "Unavailable":
      return fail("UNAVAILABLE", `${end.detail} Try again in a few seconds.`)
    case "Misconfigured":
      return fail("GATEWAY_UNCONFIGURED", keyTrouble(end.providerCode))
    case "Broken":
      return fail("GATEWAY_ERROR", `${end.detail} Try again later.`)
    case "Refused":
      return refusal(end)
  }
}

const refusal = ({ kind, providerCode, retryAfterSeconds }: Refused): Failure => {
  switch (kind) {
    case "limit":
      return fail(
        "USAGE_LIMIT",
        `The provider says that the account's limit is reached (${providerCode}). Wait, then try again.`,
        retryAfterSeconds === null ? undefined : { retryAfterSeconds }
      )
    case "transient":
      return fail("GATEWAY_ERROR", `The provider's answer is not one of its own (${providerCode}). Try again later.`)
    case "account_down":
    case "account_restricted":
      return fail(
        "GATEWAY_REJECTED",
        `The provider says that the LinkedIn account cannot be used (${providerCode}). Reconnect the account.`
      )
    default:
      return fail("GATEWAY_REJECTED", `The provider refused (${providerCode}). Check what was asked for.`)
  }
}
