/**
 * What an action at the provider comes to that did not happen, or of which nobody knows: the same for messages and
 * invitations.
 */
import type { RefusalKind, Refused, Relation, SendResult } from "../provider/SendResult.ts"

/** An outcome with what the provider said of account and person; undefined when that was not heard. */
export type WithRelation<A> = { readonly relation: Relation | undefined } & A

/** Why it did not happen. */
export type FailedOutcome =
  /** Nothing left, or it is refused for a while: try again. */
  | {
      readonly _tag: "Retry"
      readonly reason: RefusalKind | "unavailable"
      readonly detail: string
      readonly adviceSeconds: number | null
    }
  | { readonly _tag: "Rejected"; readonly kind: RefusalKind; readonly providerCode: string }
  | {
      readonly _tag: "AccountDown"
      readonly kind: "account_down" | "account_restricted"
      readonly providerCode: string
    }
  /** It may have happened. */
  | { readonly _tag: "Unknown"; readonly detail: string }

const refused = ({ kind, providerCode, retryAfterSeconds }: Refused): FailedOutcome => {
  switch (kind) {
    case "limit":
    case "transient":
      return { _tag: "Retry", reason: kind, detail: providerCode, adviceSeconds: retryAfterSeconds }
    case "account_down":
    case "account_restricted":
      return { _tag: "AccountDown", kind, providerCode }
    default:
      return { _tag: "Rejected", kind, providerCode }
  }
}

/** What an answer other than yes means. */
export const failedOutcome = (
  result: Exclude<SendResult, { readonly _tag: "Confirmed" }>,
  relation: Relation | undefined
): WithRelation<FailedOutcome> => {
  switch (result._tag) {
    case "Refused":
      return { ...refused(result), relation }
    case "Unavailable":
      return { _tag: "Retry", reason: "unavailable", detail: result.detail, adviceSeconds: null, relation }
    case "Unknown":
      return { _tag: "Unknown", detail: result.detail, relation }
  }
}
