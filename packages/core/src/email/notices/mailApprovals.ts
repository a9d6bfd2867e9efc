/**
 * Emails to the approvers of an organization: a request was made, was decided, or expired.
 *
 * They name the command, who asked and the link, and nothing of what the request holds, so no data of a lead leaves this way.
 */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { DueWork } from "../../kernel/background/DueWork.ts"
import { eachDue, repeatRound } from "../../kernel/background/Worker.ts"
import { Dispatch } from "../../kernel/command/Dispatch.ts"
import { PublicUrl } from "../../kernel/command/Execution.ts"
import { isoFromMillis, now } from "../../kernel/schema/IdsAndTime.ts"
import type { ApprovalRow } from "../../workspace/approvals/ApprovalRow.ts"
import { Workspaces } from "../../workspace/Workspaces.ts"
import { type EmailGateway, type OutgoingEmail, sendEmail } from "../EmailGateway.ts"

/** The address that notices come from; undefined where none are sent. */
export const NoticeSender = Context.Reference<string | undefined>("@svc/core/email/NoticeSender", {
  defaultValue: () => undefined
})

/** What sending notices needs. */
export type NoticeNeeds = DueWork | Workspaces | EmailGateway | Dispatch

/** Milliseconds until a notice that the mail server did not take is sent again, and after which it is no longer news. */
const retryMillis = 5 * 60_000
const newsMillis = 24 * 60 * 60_000

const headlines: Readonly<Record<ApprovalRow["state"], string>> = {
  pending: "Approval requested",
  approved: "Approved",
  rejected: "Rejected",
  expired: "Expired without a decision"
}

const linesOf = (row: ApprovalRow, link: string): ReadonlyArray<string> => {
  const { decidedThrough, expiresAt, requestedBy, resolvedBy, state } = row
  const who = requestedBy.kind === "AI_AGENT" ? `The AI agent of ${requestedBy.userId}` : requestedBy.userId
  const through = decidedThrough === null ? "" : ", in an MCP client"
  return [
    `${who} asked for it.`,
    ...(resolvedBy === null ? [] : [`Decided by ${resolvedBy.userId}${through}.`]),
    ...(state === "pending"
      ? [`It expires on ${expiresAt.slice(0, 16).replace("T", " at ")} UTC.`, "", "Decide here:"]
      : [""]),
    link
  ]
}

/** The notice of a request's present state. */
const noticeOf = (row: ApprovalRow, title: string, base: string, from: string, to: string): OutgoingEmail => ({
  messageId: `${row.id}.${row.state}.${Buffer.from(to).toString("hex").slice(0, 40)}@${from.split("@").at(-1)}`,
  from: { name: "svc", address: from },
  to: { name: "", address: to },
  subject: `${headlines[row.state]}: ${title}`,
  text: [`${headlines[row.state]}: ${title}`, "", ...linesOf(row, `${base}/review/d/${row.id}`), ""].join("\n"),
  html: null
})

/**
 * One round; returns how many notices were accepted. A notice that was certainly not taken is sent again, one whose outcome is
 * unknown is not. Fails with UNAVAILABLE when the store is unreachable.
 */
export const mailApprovals = Effect.fnUntraced(function* (limit = 50) {
  const from = yield* NoticeSender
  if (from === undefined) return 0
  const repo = (yield* Workspaces).approvals
  const { catalog } = yield* Dispatch
  const base = (yield* PublicUrl)() ?? ""
  const at = yield* now
  const later = (millis: number) => isoFromMillis(Date.parse(at) + millis)
  let accepted = 0
  yield* eachDue(
    "notices",
    { limit },
    Effect.fnUntraced(function* (organizationId, share) {
      const until = later(retryMillis)
      const taken = yield* repo.takeMail({
        organizationId,
        now: at,
        since: later(-newsMillis),
        until,
        limit: share.limit
      })
      for (const row of taken) {
        const title = catalog.find(row.commandId)?.title ?? row.commandId
        const left: Array<string> = []
        for (const to of row.mailTo) {
          const { _tag } = yield* sendEmail(noticeOf(row, title, base, from, to))
          if (_tag === "Confirmed") accepted++
          if (_tag === "Unavailable") left.push(to)
        }
        yield* repo.putMail(row, left)
      }
      return taken.length
    })
  )
  return accepted
})

/** Runs as long as the layer. */
export const noticesLayer: Layer.Layer<never, never, NoticeNeeds> = Layer.effectDiscard(
  repeatRound("notices to approvers", mailApprovals(), "5 seconds")
)
