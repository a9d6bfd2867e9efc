/** Translates a failed read into a failure of the product, or into a result of the provider port. */

import { Unavailable as UnavailableFailure } from "@svc/core"
import type { ProviderFailure } from "@svc/core/outreach"
import {
  GatewayError,
  GatewayRejected,
  GatewayUnconfigured,
  type Refused,
  type Unavailable,
  UsageLimit
} from "@svc/core/outreach"
import { keyRefused, type ReadResult } from "./UnipileClient.ts"

/** A read that returned nothing. */
export type FailedRead = Exclude<ReadResult, { readonly _tag: "Found" }>

/** The port's result: everything but a refusal by the provider counts as unavailable. */
export const asRefusal = (result: FailedRead): Refused | Unavailable => {
  switch (result._tag) {
    case "Misconfigured":
      return { _tag: "Unavailable", detail: keyRefused(result.providerCode) }
    case "Broken":
      return { _tag: "Unavailable", detail: result.detail }
    default:
      return result
  }
}

/** The failure of a command or an import that needed the response. */
export const asFailure = (result: FailedRead): ProviderFailure => {
  switch (result._tag) {
    case "Unavailable":
      return new UnavailableFailure({ message: `${result.detail} Try again in a few seconds.` })
    case "Misconfigured":
      return new GatewayUnconfigured({ message: keyRefused(result.providerCode) })
    case "Broken":
      return new GatewayError({ message: `${result.detail} Try again later.` })
    case "Refused":
      return refusal(result)
  }
}

const refusal = ({ kind, providerCode, retryAfterSeconds }: Refused): ProviderFailure => {
  switch (kind) {
    case "limit":
      return new UsageLimit({
        message: `LinkedIn account limit reached (${providerCode}). Wait, then try again.`,
        ...(retryAfterSeconds === null ? undefined : { retryAfterSeconds })
      })
    case "transient":
      return new GatewayError({
        message: `The provider sent an unexpected response (${providerCode}). Try again later.`
      })
    case "account_down":
    case "account_restricted":
      return new GatewayRejected({
        message: `The provider can't use this LinkedIn account (${providerCode}). Reconnect the account.`
      })
    default:
      return new GatewayRejected({ message: `The provider refused the request (${providerCode}). Check its input.` })
  }
}
