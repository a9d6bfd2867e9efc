/** Failures of drafts, sending and the provider. */
import { Failure } from "../kernel/failure/Failure.ts"
import type { Unavailable, WrongState } from "../kernel/failure/failures.ts"
import { DraftInFlight, type LeadSuppressed, SendOutcomeUnknown } from "../leads/failures.ts"
import type { MissionArchived } from "../missions/failures.ts"

/** The draft was sent or cancelled. */
export class DraftFinal extends Failure.define("DRAFT_FINAL") {}

/** The draft has no text to approve. */
export class DraftEmpty extends Failure.define("DRAFT_EMPTY") {}

/** The draft has `count` variations, and none was named. */
export class VariationRequired extends Failure.define("VARIATION_REQUIRED")<{ readonly count: number }> {}

/** The text lacks the organization's disclosure. */
export class DisclosureRequired extends Failure.define("DISCLOSURE_REQUIRED") {}

/** The draft lacks evidence that the organization requires. */
export class EvidenceRequired extends Failure.define("EVIDENCE_REQUIRED") {}

/** The agent has no LinkedIn account. */
export class NoLinkedinAccount extends Failure.define("NO_LINKEDIN_ACCOUNT") {}

/** The LinkedIn account is not connected. */
export class AccountDisconnected extends Failure.define("ACCOUNT_DISCONNECTED") {}

/** A limit of LinkedIn, its provider or our pacing is reached. */
export class UsageLimit extends Failure.define("USAGE_LIMIT") {}

/** The provider refused. */
export class GatewayRejected extends Failure.define("GATEWAY_REJECTED") {}

/** The provider failed. */
export class GatewayError extends Failure.define("GATEWAY_ERROR") {}

/** The provider did only part of it. */
export class GatewayPartial extends Failure.define("GATEWAY_PARTIAL") {}

/** No provider is configured. */
export class GatewayUnconfigured extends Failure.define("GATEWAY_UNCONFIGURED") {}

/** Not the URL of a people search. */
export class NotAPeopleSearch extends Failure.define("NOT_A_PEOPLE_SEARCH") {}

/** Failures reported by the provider. */
export type GatewayFailure = GatewayRejected | GatewayError | GatewayUnconfigured | UsageLimit

/** Failures of asking the provider, including that it is unreachable. */
export type ProviderFailure = GatewayFailure | Unavailable

/** Failures of changing a draft in its current state. */
export const changeFailures = [DraftFinal, DraftInFlight, SendOutcomeUnknown] as const

export type ChangeRefusal = InstanceType<(typeof changeFailures)[number]>

/** Why the gate blocks a transmission. */
export type GateRefusal =
  | AccountDisconnected
  | DisclosureRequired
  | LeadSuppressed
  | MissionArchived
  | NoLinkedinAccount
  | WrongState

/** Failures of sending: nothing was sent, or it is unknown whether it was. */
export type TransmissionFailure = GateRefusal | GatewayRejected | SendOutcomeUnknown
