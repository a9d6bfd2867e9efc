/** A request for approval as stored. */

import type { ApprovalRequest, Requester } from "../../kernel/command/ApprovalRequest.ts"
import type { InstantText } from "../../kernel/schema/IdsAndTime.ts"

/** What the user of an MCP client did with a question: agreed, refused, or closed it. */
export const clientActions = ["accept", "decline", "cancel"] as const

/** The latest question to the user of an MCP client. It is answered at most once. */
interface ClientQuestion {
  readonly id: string
  /** The name that the client gave itself. */
  readonly client: string
  /** Whether it was shown as a decision; otherwise it only gave the link. */
  readonly decides: boolean
  readonly answer: { readonly action: (typeof clientActions)[number]; readonly at: InstantText } | null
}

/**
 * A request with its resolution. Once it is settled, of `input` only the ids of leads are kept, see {@link settledInput}.
 * `outcome` is that of the approved run: `ok` or a failure code, or null while unknown; `problem` is the failure's message.
 */
export interface ApprovalRow extends Omit<ApprovalRequest, "input"> {
  readonly input: ApprovalRequest["input"] | null
  readonly state: ApprovalState
  readonly resolvedBy: Requester | null
  readonly resolvedAt: InstantText | null
  /** The MCP client whose user decided; null for a decision of a person with a key or a session of their own. */
  readonly decidedThrough: string | null
  readonly reason: string
  readonly outcome: string | null
  readonly problem: string
  readonly question: ClientQuestion | null
  /** When the addresses of `mailTo` are written to next; null if there are none. */
  readonly mailAt: InstantText | null
}

/** What a request has before somebody decides. */
export const undecided = {
  state: "pending",
  resolvedBy: null,
  resolvedAt: null,
  decidedThrough: null,
  reason: ""
} as const

/** The row of a new request. */
export const newApprovalRow = (asked: ApprovalRequest): ApprovalRow => ({
  ...asked,
  ...undecided,
  outcome: null,
  problem: "",
  question: null,
  ...mailedAt(asked.mailTo, asked.createdAt)
})

/** The request as it expires at an instant. */
export const expiredRow = (row: ApprovalRow, at: InstantText, mailTo: ReadonlyArray<string>): ApprovalRow => ({
  ...row,
  state: "expired",
  input: null,
  resolvedAt: at,
  question: null,
  ...mailedAt(mailTo, at)
})

/** Addresses to write to from an instant on. */
export const mailedAt = (mailTo: ReadonlyArray<string>, at: InstantText): Pick<ApprovalRow, "mailTo" | "mailAt"> => ({
  mailTo,
  mailAt: mailTo.length === 0 ? null : at
})

/** What is kept of a settled request's input: the leads that it names, so that its reason is erased with them. */
export const settledInput = (input: ApprovalRow["input"]): ApprovalRow["input"] => {
  const ids = JSON.stringify(input).match(/ld_[0-9A-Z]+/g)
  return ids && { lead_ids: [...new Set(ids)].toSorted() }
}

/** The input that would run; null once the request is settled. */
export const openInput = ({ input, outcome, state }: ApprovalRow): ApprovalRow["input"] =>
  outcome !== null || state === "rejected" || state === "expired" ? null : input

/** The states of requests; `expired` are also those still pending after their expiry. */
export const approvalStates = ["pending", "approved", "rejected", "expired"] as const

/** See {@link approvalStates}. */
export type ApprovalState = (typeof approvalStates)[number]

/** The state of a request at an instant. */
export const stateAt = ({ expiresAt, state }: ApprovalRow, now: string): ApprovalState =>
  state === "pending" && expiresAt <= now ? "expired" : state
