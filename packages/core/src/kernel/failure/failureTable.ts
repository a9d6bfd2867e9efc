/**
 * The table of failure codes: for each its kind, HTTP status, exit code, whether a retry can help, summary and hint.
 *
 * Every surface reads this table, so a new code needs no change in an adapter. Codes are added, never renamed or reused.
 */

/** The entry of a failure code, the same on every surface. */

/** The kind of a failure, independent of any surface. */
type FailureKind =
  | "Invalid"
  | "Unauthenticated"
  | "Denied"
  | "NotFound"
  | "Conflict"
  | "RateLimited"
  | "Unavailable"
  | "Gateway"
  | "Internal"

/** A table entry. `status` is the HTTP status, `exitCode` that of the `svc` process. */
export interface FailureEntry {
  readonly kind: FailureKind
  readonly status: number
  readonly exitCode: number
  readonly retryable: boolean
  readonly summary: string
  readonly hint: string
}

/** The exit code of `svc` for each kind. */
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

const entry =
  (kind: FailureKind, status: number) =>
  (summary: string, hint: string, retryable = false): FailureEntry => ({
    kind,
    status,
    exitCode: exitCodes[kind],
    retryable,
    summary,
    hint
  })

const invalid = entry("Invalid", 400)

const unauthenticated = entry("Unauthenticated", 401)

const denied = entry("Denied", 403)

const notFound = entry("NotFound", 404)

const conflict = entry("Conflict", 409)

const rateLimited = entry("RateLimited", 429)

const gateway = entry("Gateway", 502)

const unavailable = entry("Unavailable", 503)

/** Every code, served as `svc://errors` and printed by `svc explain CODE`. */
export const failureTable = {
  INVALID_JSON: invalid("The body is not valid JSON.", "Send one well-formed JSON object in UTF-8."),
  INVALID_INPUT: invalid(
    "A field has an invalid value.",
    "Read the command's input_schema and correct the field named in the message."
  ),
  UNKNOWN_FIELD: invalid(
    "A field or query parameter is not known.",
    "Correct the spelling; the message names the nearest known field."
  ),
  INVALID_CURSOR: invalid("The cursor does not belong to this list.", "Start again without a cursor."),
  INVALID_EMAIL: invalid("The email address is not valid.", "Send one plain address such as ada@example.com."),
  NOT_A_PROFILE_URL: invalid(
    "The URL is not a person's LinkedIn profile.",
    "Send a URL such as https://www.linkedin.com/in/ada-lovelace."
  ),
  NOT_A_PEOPLE_SEARCH: invalid(
    "The URL is not a Sales Navigator people search.",
    "Copy the URL of a people search, under /sales/search/people."
  ),
  IDENTIFIER_REQUIRED: invalid(
    "A lead needs at least one identifier.",
    "Send one of lead_id, email, linkedin_url, linkedin_id, sales_nav_id or custom_id."
  ),
  UNAUTHENTICATED: unauthenticated(
    "The API key is missing or not valid.",
    "Send Authorization: Bearer <API_KEY> with a key of this service."
  ),
  KEY_EXPIRED: unauthenticated("The API key has expired.", "Create or rotate a key with svc keys."),
  KEY_REVOKED: unauthenticated("The API key was revoked.", "Create a key with svc keys create."),
  FORBIDDEN_SCOPE: denied("The API key lacks a scope.", "Use a key that has the scope named in the message."),
  APPROVAL_POLICY: denied(
    "A policy denies this action.",
    "Ask a person with permission to do it, or change the policy."
  ),
  FORBIDDEN_HOST: denied("Host or Origin not allowed.", "Use the server's URL, or set SVC_PUBLIC_URL."),
  UNKNOWN_COMMAND: notFound("Command not found.", "List the commands with GET /api/v1/commands."),
  UNKNOWN_RESOURCE: notFound("Resource not found.", "List the resources with GET /api/v1/resources."),
  NOT_FOUND: notFound("Not found in this organization.", "Check the id, or list what exists."),
  METHOD_NOT_ALLOWED: entry("Invalid", 405)(
    "The path does not support this method.",
    "Use one of the methods in the Allow header."
  ),
  NOT_ACCEPTABLE: entry("Invalid", 406)("The requested response format is not available.", "Accept application/json."),
  UNSUPPORTED_MEDIA_TYPE: entry("Invalid", 415)(
    "The body has an unsupported type or encoding.",
    "Send uncompressed application/json."
  ),
  IDENTITY_CONFLICT: conflict(
    "The identifiers belong to more than one lead.",
    "Send fewer identifiers, or on_conflict, or merge the leads."
  ),
  DUPLICATE_HANDLE: conflict("The handle is taken.", "Choose another handle, or leave it out."),
  DUPLICATE_ID: conflict("The id is already used for different content.", "Choose another id."),
  LAST_IDENTIFIER: conflict(
    "A lead's last identifier cannot be removed.",
    "Add another identifier with lead.upsert first, or erase the lead with lead.erase."
  ),
  DUPLICATE_CUSTOM_ID: conflict("Another lead has this custom id.", "Use a custom id for one person only."),
  DUPLICATE_EMAIL_ACCOUNT: conflict("Another agent has this email account.", "Remove it from the other agent first."),
  DRAFT_OPEN: conflict(
    "The lead already has an open draft with this agent.",
    "Use the draft named in the message, or send replace_open: true."
  ),
  DRAFT_FINAL: conflict("The draft was sent or cancelled and cannot be changed.", "Create a new draft."),
  DRAFT_EMPTY: conflict("The draft has no text to approve.", "Send body_text, or add a variation first."),
  DRAFT_IN_FLIGHT: conflict("The draft is being sent.", "Read the draft again in a moment.", true),
  VARIATION_REQUIRED: conflict("The draft has several variations.", "Choose one with variation_index."),
  CONTENT_CHANGED: conflict(
    "The draft's text has changed since it was read.",
    "Read the draft again and decide again."
  ),
  DISCLOSURE_REQUIRED: conflict(
    "The text lacks the organization's disclosure.",
    "Add the sentence of policy.get to the text, or let a person approve an answer."
  ),
  EVIDENCE_REQUIRED: conflict(
    "The draft lacks evidence that the organization requires.",
    "Read linkedin.draft.check, and send evidence with linkedin.draft.update."
  ),
  MISSION_ARCHIVED: conflict("The mission is archived.", "Restore it with mission.update, status active."),
  LEAD_SUPPRESSED: conflict(
    "The lead must not be contacted.",
    "Do not contact the lead, or lift the suppression with a reason."
  ),
  WRONG_STATE: conflict(
    "The current state does not allow this.",
    "Read the object again; the message names its state."
  ),
  AGENT_IN_USE: conflict("Missions or unsent messages use the agent.", "Archive them first, or delete with force."),
  OFFER_IN_USE: conflict(
    "Missions that are not archived use the offer.",
    "Link another offer to them with mission.update, or archive them first."
  ),
  MISSION_IN_USE: conflict(
    "The mission has leads, open drafts or a running import.",
    "Archive it with mission.update, status archived."
  ),
  NO_LINKEDIN_ACCOUNT: conflict("The agent has no LinkedIn account.", "Link an account to the agent first."),
  ACCOUNT_DISCONNECTED: conflict("The agent's LinkedIn account is not connected.", "Reconnect the account."),
  SEND_OUTCOME_UNKNOWN: conflict(
    "It is unknown whether the message was sent.",
    "Check the conversation on LinkedIn, then settle the queue item with linkedin.queue.resolve."
  ),
  IDEMPOTENCY_MISMATCH: conflict(
    "The idempotency key was already used for a different request.",
    "Use a new key for a new request."
  ),
  IDEMPOTENCY_IN_PROGRESS: conflict(
    "The first request with this idempotency key is still running.",
    "Repeat the same request in a moment.",
    true
  ),
  VERSION_CONFLICT: conflict("It was changed by another request at the same time.", "Read it again and retry.", true),
  PRECONDITION_FAILED: entry("Conflict", 412)(
    "It has changed since the If-Match ETag was read.",
    "Read it again and retry."
  ),
  PAYLOAD_TOO_LARGE: entry("Invalid", 413)("The body is too large for this endpoint.", "Send less data per request."),
  RATE_LIMITED: rateLimited("Too many requests.", "Wait for the number of seconds in Retry-After.", true),
  USAGE_LIMIT: rateLimited("The LinkedIn usage limit is reached.", "Wait; linkedin.usage.get shows until when.", true),
  INTERNAL: entry("Internal", 500)("Unexpected error.", "Report it with the request id.", true),
  GATEWAY_REJECTED: gateway("The provider refused the request.", "Check the provider's code in the message."),
  GATEWAY_ERROR: gateway("The provider failed.", "Retry later.", true),
  GATEWAY_PARTIAL: gateway("The provider returned only part of the data.", "Check what was done, then retry.", true),
  UNAVAILABLE: unavailable("The service is unavailable.", "Retry in a few seconds.", true),
  STATEMENT_TIMEOUT: unavailable(
    "The database took too long for this request. Nothing was changed.",
    "Retry in a moment, or ask for less at once: a smaller page or batch, or a narrower search.",
    true
  ),
  GATEWAY_UNCONFIGURED: unavailable("No provider is configured.", "Set SVC_LINKEDIN_GATEWAY and its settings.")
} as const satisfies Record<string, FailureEntry>

/** A stable, upper-snake failure code. */
export type FailureCode = keyof typeof failureTable

/** A code that a host program made up for a refusal of its own. The prefix keeps it apart from codes that come later. */
export type HostCode = `HOST_${string}`

const byHost = { 400: invalid, 403: denied, 404: notFound, 409: conflict }

/** The status of a refusal by a host program. */
export type HostStatus = keyof typeof byHost

/** The entry of a code: of the table, or of a host's own by its status. */
export const entryOf = (code: FailureCode | HostCode, status: number): FailureEntry => {
  const found: FailureEntry | undefined = Object.hasOwn(failureTable, code)
    ? failureTable[code as FailureCode]
    : undefined
  return found ?? byHost[status as HostStatus]("A rule of the host program refuses this.", "Read its message.")
}
