/**
 * The one table of what can go wrong, and the one error value that carries it.
 *
 * Every expected failure of the product is a {@link Failure} with a stable code. The table gives each code its neutral
 * kind, its HTTP status, its CLI exit code, whether trying again can help, and a hint; every surface reads the same
 * table, so a new code needs no change in an adapter. Codes are additive: none is renamed or re-used.
 *
 * Source: contract section 1.4, 2 and 7; gap decision G25.
 */
import * as Data from "effect/Data"
import { quote } from "./Quote.ts"

/** What sort of refusal it is, independent of any surface. */
export type FailureKind =
  | "Invalid"
  | "Unauthenticated"
  | "Denied"
  | "NotFound"
  | "Conflict"
  | "RateLimited"
  | "Unavailable"
  | "Gateway"
  | "Internal"

/** What the table says about one code. `status` is HTTP, `exitCode` is that of the `svc` process. */
export interface FailureEntry {
  readonly kind: FailureKind
  readonly status: number
  readonly exitCode: number
  readonly retryable: boolean
  readonly summary: string
  readonly hint: string
}

const exitCodes: Record<FailureKind, number> = {
  Internal: 1,
  Invalid: 2,
  Unauthenticated: 3,
  Denied: 3,
  NotFound: 4,
  Conflict: 5,
  Unavailable: 6,
  RateLimited: 7,
  Gateway: 9
}

const entry = (kind: FailureKind, status: number, summary: string, hint: string, retryable = false): FailureEntry => ({
  kind,
  status,
  exitCode: exitCodes[kind],
  retryable,
  summary,
  hint
})

/** Every code, served as `svc://errors` and printed by `svc explain CODE`. */
export const failureTable = {
  INVALID_JSON: entry("Invalid", 400, "The body is not acceptable JSON.", "Send one well-formed JSON object in UTF-8."),
  INVALID_INPUT: entry(
    "Invalid",
    400,
    "A field has a value that its schema refuses.",
    "Read the command's input_schema and correct the named path."
  ),
  UNKNOWN_FIELD: entry(
    "Invalid",
    400,
    "A field or query parameter is not known.",
    "Correct the spelling; the message names the nearest known field."
  ),
  INVALID_CURSOR: entry(
    "Invalid",
    400,
    "The page cursor is not one that this list gave out.",
    "Start again without a cursor."
  ),
  INVALID_EMAIL: entry(
    "Invalid",
    400,
    "The e-mail address cannot be used.",
    "Send one plain address such as ada@example.com."
  ),
  NOT_A_PROFILE_URL: entry(
    "Invalid",
    400,
    "The address is not that of a person's LinkedIn profile.",
    "Send an address such as https://www.linkedin.com/in/ada-lovelace."
  ),
  NOT_A_PEOPLE_SEARCH: entry(
    "Invalid",
    400,
    "The address is not a Sales Navigator people search.",
    "Copy the address of a people search, under /sales/search/people."
  ),
  IDENTIFIER_REQUIRED: entry(
    "Invalid",
    400,
    "A lead needs at least one identifier.",
    "Send one of lead_id, email, linkedin_url, linkedin_id, sales_nav_id or custom_id."
  ),
  UNAUTHENTICATED: entry(
    "Unauthenticated",
    401,
    "The API key is missing or not valid.",
    "Send Authorization: Bearer <API_KEY> with a key of this service."
  ),
  KEY_EXPIRED: entry("Unauthenticated", 401, "The API key has expired.", "Create or rotate a key with svc keys."),
  KEY_REVOKED: entry("Unauthenticated", 401, "The API key was revoked.", "Create a key with svc keys create."),
  FORBIDDEN_SCOPE: entry(
    "Denied",
    403,
    "The API key lacks a scope.",
    "Use a key that has the scope named in the message."
  ),
  APPROVAL_POLICY: entry(
    "Denied",
    403,
    "A policy keeps this actor from doing this.",
    "Ask a person with the right to do it, or change the policy."
  ),
  FORBIDDEN_HOST: entry(
    "Denied",
    403,
    "The Host or the Origin of the request is none of this server's.",
    "Use the server's own address, or set SVC_PUBLIC_URL."
  ),
  UNKNOWN_COMMAND: entry(
    "NotFound",
    404,
    "There is no command with this id.",
    "List the commands with GET /api/v1/commands."
  ),
  UNKNOWN_RESOURCE: entry(
    "NotFound",
    404,
    "No resource has this URI.",
    "List the resources with GET /api/v1/resources."
  ),
  NOT_FOUND: entry(
    "NotFound",
    404,
    "There is no such thing in this organization.",
    "Check the id; list what exists first."
  ),
  METHOD_NOT_ALLOWED: entry(
    "Invalid",
    405,
    "The path exists, but not with this method.",
    "Use a method of the Allow header."
  ),
  NOT_ACCEPTABLE: entry(
    "Invalid",
    406,
    "The answer cannot be given in the form asked for.",
    "Accept application/json."
  ),
  UNSUPPORTED_MEDIA_TYPE: entry(
    "Invalid",
    415,
    "The body has a type or an encoding that is not read here.",
    "Send uncompressed application/json."
  ),
  IDENTITY_CONFLICT: entry(
    "Conflict",
    409,
    "The identifiers belong to more than one lead.",
    "Send fewer identifiers, or on_conflict, or merge the leads."
  ),
  DUPLICATE_HANDLE: entry("Conflict", 409, "The handle is taken.", "Choose another handle, or leave it out."),
  DUPLICATE_ID: entry("Conflict", 409, "The id is taken by something with other content.", "Choose another id."),
  DUPLICATE_CUSTOM_ID: entry(
    "Conflict",
    409,
    "Another lead has this custom id.",
    "Use the custom id of one person only."
  ),
  DUPLICATE_EMAIL_ACCOUNT: entry(
    "Conflict",
    409,
    "Another agent has this e-mail account.",
    "Remove it from the other agent first."
  ),
  DRAFT_OPEN: entry(
    "Conflict",
    409,
    "The lead already has an open draft with this agent.",
    "Work on the draft named in the message, or send replace_open: true."
  ),
  DRAFT_FINAL: entry("Conflict", 409, "The draft was sent or cancelled and cannot change.", "Create a new draft."),
  DRAFT_EMPTY: entry("Conflict", 409, "The draft has no text to approve.", "Send body_text, or add a variation first."),
  DRAFT_IN_FLIGHT: entry(
    "Conflict",
    409,
    "The draft is being sent right now.",
    "Read the draft again in a moment.",
    true
  ),
  VARIATION_REQUIRED: entry(
    "Conflict",
    409,
    "The draft has several variations.",
    "Say which one with variation_index."
  ),
  CONTENT_CHANGED: entry(
    "Conflict",
    409,
    "The draft's text changed since it was read.",
    "Read the draft again and decide anew."
  ),
  MISSION_ARCHIVED: entry(
    "Conflict",
    409,
    "The mission is archived.",
    "Restore it with mission.update, status active."
  ),
  LEAD_SUPPRESSED: entry(
    "Conflict",
    409,
    "The lead must not be contacted.",
    "Leave it, or lift the suppression with a reason."
  ),
  WRONG_STATE: entry(
    "Conflict",
    409,
    "The thing is in a state that does not allow this.",
    "Read it again; the message names both states."
  ),
  AGENT_IN_USE: entry(
    "Conflict",
    409,
    "Missions or unsent messages use the agent.",
    "Archive them first, or delete with force."
  ),
  OFFER_IN_USE: entry(
    "Conflict",
    409,
    "Missions that are not archived propose the offer.",
    "Link another offer to them with mission.update, or archive them first."
  ),
  MISSION_IN_USE: entry(
    "Conflict",
    409,
    "The mission has leads, open drafts or a running import.",
    "Archive it with mission.update, status archived."
  ),
  NO_LINKEDIN_ACCOUNT: entry(
    "Conflict",
    409,
    "The agent has no LinkedIn account.",
    "Link an account to the agent first."
  ),
  ACCOUNT_DISCONNECTED: entry(
    "Conflict",
    409,
    "The agent's LinkedIn account is not connected.",
    "Reconnect the account."
  ),
  SEND_OUTCOME_UNKNOWN: entry(
    "Conflict",
    409,
    "It is not known whether the message was sent.",
    "Look at the conversation on LinkedIn, then settle the queue item with linkedin.queue.resolve."
  ),
  IDEMPOTENCY_MISMATCH: entry(
    "Conflict",
    409,
    "The idempotency key was used with another request.",
    "Use a new key for a new request."
  ),
  IDEMPOTENCY_IN_PROGRESS: entry(
    "Conflict",
    409,
    "The first request with this idempotency key is still running.",
    "Repeat the same request in a moment.",
    true
  ),
  VERSION_CONFLICT: entry(
    "Conflict",
    409,
    "Somebody else changed it at the same time.",
    "Read it again and repeat.",
    true
  ),
  PRECONDITION_FAILED: entry(
    "Conflict",
    412,
    "It changed since the If-Match tag was read.",
    "Read it again and repeat."
  ),
  PAYLOAD_TOO_LARGE: entry("Invalid", 413, "The body is larger than this endpoint takes.", "Send less at a time."),
  RATE_LIMITED: entry("RateLimited", 429, "Too many requests.", "Wait for the seconds in Retry-After.", true),
  USAGE_LIMIT: entry(
    "RateLimited",
    429,
    "The LinkedIn usage limit is reached.",
    "Wait; linkedin.usage.get says until when.",
    true
  ),
  INTERNAL: entry("Internal", 500, "Something failed that should not.", "Report it with the request id.", true),
  GATEWAY_REJECTED: entry("Gateway", 502, "The provider refused.", "Read the provider's code in the message."),
  GATEWAY_ERROR: entry("Gateway", 502, "The provider failed.", "Try again later.", true),
  GATEWAY_PARTIAL: entry(
    "Gateway",
    502,
    "The provider answered only a part.",
    "Read what was done, then repeat.",
    true
  ),
  UNAVAILABLE: entry("Unavailable", 503, "The service cannot answer right now.", "Try again in a few seconds.", true),
  GATEWAY_UNCONFIGURED: entry(
    "Unavailable",
    503,
    "No provider is configured.",
    "Set SVC_LINKEDIN_GATEWAY and its settings."
  )
} as const satisfies Record<string, FailureEntry>

/** A stable, upper-snake failure code. */
export type FailureCode = keyof typeof failureTable

/**
 * An expected failure. `message` is a whole sentence or two for a stranger and ends with the next useful step; it never
 * holds a secret. `warnings` go to `meta.warnings`; `retryAfterSeconds` becomes `Retry-After`.
 */
export class Failure extends Data.TaggedError("Failure")<{
  readonly code: FailureCode
  readonly message: string
  readonly warnings?: ReadonlyArray<string>
  readonly retryAfterSeconds?: number
}> {
  /** What the table says about this failure's code. */
  get entry(): FailureEntry {
    return failureTable[this.code]
  }
}

/** Makes a failure. Without a message it says the table's summary and hint. */
export const fail = (
  code: FailureCode,
  message?: string,
  details?: { readonly warnings?: ReadonlyArray<string>; readonly retryAfterSeconds?: number }
): Failure => {
  const { summary, hint } = failureTable[code]
  return new Failure({ code, message: message ?? `${summary} ${hint}`, ...details })
}

/** The failure of everything that is not there, or is another organization's: both answer the same words. */
export const notFound = (what: string, id: string): Failure =>
  fail("NOT_FOUND", `There is no ${what} ${quote(id)} in this organization. Check the id; list what exists first.`)

/** A failure as `svc://errors` and `svc explain` show it. */
export const describeFailure = (code: FailureCode): FailureEntry & { readonly code: FailureCode } => ({
  code,
  ...failureTable[code]
})
