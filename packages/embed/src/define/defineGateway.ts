import type { SvcError } from "@svc/client"
import type { FailureCode } from "@svc/core"
import { type Check, type Checks, isFunction, isOptions, isWhole, must, required } from "@svc/core/names"
import type * as Outreach from "@svc/core/outreach"
import { badDefinition } from "./defineCommand.ts"

/** The provider said no: why, its own code, and when to try again, in seconds. */
interface RefusedOutcome {
  readonly outcome: "refused"
  readonly kind: Outreach.RefusalKind
  readonly code?: string
  readonly retryAfterSeconds?: number
}

/** Nothing was sent, for certain: trying again is safe. */
interface UnavailableOutcome {
  readonly outcome: "unavailable"
  readonly detail?: string
}

/** What became of a write. `confirmed`: the provider took it. `unknown`: it may have been sent; a person settles it. */
export type WriteOutcome =
  | { readonly outcome: "confirmed"; readonly messageId?: string | null; readonly externalId?: string | null }
  | { readonly outcome: "unknown"; readonly detail?: string }
  | RefusedOutcome
  | UnavailableOutcome

/** What a function gets with its arguments. */
export interface GatewayContext {
  /** Aborted when nobody waits for the result. */
  readonly signal: AbortSignal
  /** A failure of a read to throw: `throw fail("USAGE_LIMIT", "500 searches a day. Try again tomorrow.")`. */
  readonly fail: (code: ReadFailureCode, message: string) => SvcError
}

/** How a read fails; anything else that it throws is GATEWAY_ERROR. */
type ReadFailureCode = Extract<
  FailureCode,
  | "GATEWAY_ERROR"
  | "GATEWAY_REJECTED"
  | "GATEWAY_UNCONFIGURED"
  | "USAGE_LIMIT"
  | "UNAVAILABLE"
  | "NOT_FOUND"
  | "NOT_A_PEOPLE_SEARCH"
>

/** A function that sends something for an account. */
export type Write<Request> = (
  account: Outreach.LinkedInAccount,
  request: Request,
  context: GatewayContext
) => Promise<WriteOutcome>

/** A function that reads something for an account. */
export type Read<Request, Result> = (
  account: Outreach.LinkedInAccount,
  request: Request,
  context: GatewayContext
) => Promise<Result>

/**
 * A host's way to LinkedIn, as functions. What a write throws, a result that is none of its outcomes, and one that does not
 * come in time are unknown outcomes: it is not certain that nothing was sent. Reads may be retried.
 */
export interface GatewayDefinition {
  /** Kept with each linked account; lower-case words joined by `-`. */
  readonly name: string
  /** The account that an agent has without linking; undefined when accounts must be linked. Default none. */
  readonly automaticAccount?: (agent: { readonly id: string }) =>
    | {
        readonly gatewayAccountId: string
        readonly tier?: Outreach.LinkedInTier
        readonly features?: ReadonlyArray<string>
      }
    | undefined
  /** How account and person stand, or why that is not known. */
  readonly relation: Read<Outreach.Recipient, Outreach.Relation | RefusedOutcome | UnavailableOutcome>
  /** Sends a message to a conversation. */
  readonly sendToChat: Write<Outreach.Delivery & { readonly chatId: string; readonly text: string }>
  /** Sends a message to a connected person without a known conversation. */
  readonly startChat: Write<Outreach.Delivery & { readonly text: string }>
  /** Asks a person to connect; `note` has at most 300 UTF-16 units. */
  readonly sendInvitation: Write<Outreach.Delivery & { readonly note: string | null }>
  /** Withdraws an invitation; also confirmed when none is pending. Default: it cannot. */
  readonly withdrawInvitation?: Write<Outreach.Recipient>
  /** One page of a people search by the URL of that search; `cursor` is the `next` of the page before. Default: it cannot. */
  readonly searchPeople?: Read<
    { readonly url: string; readonly cursor: string | null; readonly limit: number },
    Outreach.PeoplePage
  >
  /** Looks up a person by the strongest identity that the provider understands; fails with NOT_FOUND. */
  readonly resolveProfile?: Read<Outreach.Recipient["identities"], Outreach.ResolvedProfile>
  /** The conversation with a person, null when there is none that can be written to. */
  readonly findChat?: Read<Outreach.Recipient, string | null>
  /** Messages not older than an instant. */
  readonly listMessages?: Read<Outreach.MessageQuery, Outreach.MessagePage>
  /** Relations made since an instant, newest first. */
  readonly listRelations?: Read<Outreach.RelationQuery, Outreach.RelationPage>
  /** What the provider can do with accounts. */
  readonly accounts?: AccountFunctions
  /** Milliseconds that a read and a write may take; default 7,000 and 14,000. */
  readonly timeouts?: { readonly read?: number; readonly write?: number }
}

/** The parameter of an account function of the port. */
type RequestOf<Name extends "find" | "connectLink" | "subscribe"> = Parameters<
  NonNullable<Outreach.ProviderAccounts[Name]>
>

/** What a provider can do with accounts; what is left out, it cannot. */
export interface AccountFunctions {
  /** What the provider says of an account; fails with NOT_FOUND. */
  readonly find?: (
    gatewayAccountId: string,
    context: GatewayContext
  ) => Promise<Pick<Outreach.LinkedInAccount, "status" | "tier" | "features">>
  /** Makes a page for connecting an account, and returns its URL. */
  readonly connectLink?: (request: RequestOf<"connectLink">[0], context: GatewayContext) => Promise<string>
  /** Asks the provider to tell what happens to an account at a URL of ours; repeating it changes nothing. */
  readonly subscribe?: (gatewayAccountId: string, url: string, context: GatewayContext) => Promise<void>
  /** Reads what the provider told at that URL; throws for what is none of the provider's. */
  readonly readEvent?: (payload: unknown) => Outreach.InboundEvent
}

const isName = must(
  "lower-case words joined by -, such as my-provider",
  (name) => typeof name === "string" && /^[a-z][a-z0-9-]{0,39}$/.test(name)
)

const isMillis = isWhole(1, 2 ** 31 - 1)

const gatewayChecks: Checks<GatewayDefinition> = {
  name: required(isName),
  automaticAccount: isFunction,
  relation: required(isFunction),
  sendToChat: required(isFunction),
  startChat: required(isFunction),
  sendInvitation: required(isFunction),
  withdrawInvitation: isFunction,
  searchPeople: isFunction,
  resolveProfile: isFunction,
  findChat: isFunction,
  listMessages: isFunction,
  listRelations: isFunction,
  accounts: isOptions<AccountFunctions>({
    find: isFunction,
    connectLink: isFunction,
    subscribe: isFunction,
    readEvent: isFunction
  }),
  timeouts: isOptions<NonNullable<GatewayDefinition["timeouts"]>>({ read: isMillis, write: isMillis })
}

const isDefinition = isOptions(gatewayChecks)

/** Whether a definition can be used. An instance of a class may have members of its own. */
export const isGateway: Check = (definition, path) => {
  const names = Object.keys(gatewayChecks)
  const parts = Object(definition)
  const isInstance = Object.getPrototypeOf(Object.getPrototypeOf(parts) ?? Object.prototype) !== null
  const own = isInstance ? Object.fromEntries(names.map((name) => [name, parts[name]])) : definition
  return isDefinition(own, path)
}

/**
 * Declares a host's way to LinkedIn without Effect, for `createSvc({ gateway })` or `svc.config.js`. Throws {@link SvcError}
 * INVALID_INPUT for an unknown or wrong part.
 */
export const defineGateway = (definition: GatewayDefinition): GatewayDefinition => {
  const problem = isGateway(definition, "gateway")
  if (problem !== undefined) throw badDefinition(problem)
  return definition
}
