/**
 * Claiming a message: one transaction that stores the intent to send, or queues the message.
 *
 * The lead is locked, so two messages to one person are never sent at once; the draft is locked, so it has one claim.
 */

import * as Effect from "effect/Effect"
import { Actor } from "../kernel/command/Execution.ts"
import {
  type AccountId,
  Ids,
  type InstantText,
  type LeadId,
  now,
  type OrganizationId
} from "../kernel/schema/IdsAndTime.ts"
import { markWaiting } from "../leads/recordMessage.ts"
import { decide } from "./carryOut.ts"
import { DraftsRepo, type DraftView } from "./DraftsRepo.ts"
import { readFacts } from "./gate.ts"
import { lifeOf, viewIn } from "./Life.ts"
import { AccountsRepo } from "./provider/AccountsRepo.ts"
import type { LinkedInAccount } from "./provider/LinkedInAccount.ts"
import { accountIfAny, LinkedInGateway } from "./provider/LinkedInGateway.ts"
import { mayHaveLeft, SendOptions } from "./SendOptions.ts"
import { leavingAt } from "./schedule.ts"
import { type MessageClaim, startTransmission } from "./startTransmission.ts"
import { freshRow, type Message } from "./Transmission.ts"
import { TransmissionsRepo } from "./TransmissionsRepo.ts"

/** A new message of an approved draft. */
const newMessage = (
  { row }: Pick<DraftView, "row">,
  id: string,
  accountId: AccountId,
  at: string,
  more: Pick<Message, "bypass" | "invite" | "invitationNote" | "notBefore"> & Partial<Pick<Message, "reason">>
): Message => ({
  ...freshRow,
  kind: "message",
  id,
  organizationId: row.organizationId,
  agentId: row.agentId,
  draftId: row.id,
  missionId: null,
  leadId: row.leadId,
  accountId,
  state: "queued",
  bodyText: row.selectedBodyText ?? "",
  invitedAt: null,
  createdAt: at,
  updatedAt: at,
  ...more
})

/**
 * Puts drafts that were approved just now into the queue, to leave after the hold, or at the time of the same place in `times` if
 * that is later. One whose agent has no account stays out: the dispatcher looks at it then, and says what is missing. The caller
 * stores the drafts.
 */
export const enqueueDrafts = Effect.fnUntraced(function* (
  views: ReadonlyArray<DraftView>,
  accounts: ReadonlyMap<string, LinkedInAccount | undefined>,
  times: ReadonlyArray<InstantText | undefined>
) {
  const { organizationId } = yield* Actor
  const { holdSeconds } = yield* SendOptions
  const ids = yield* Ids
  const { isManual = false } = yield* LinkedInGateway
  const { ensure } = yield* AccountsRepo
  yield* Effect.forEach(accounts.values(), (account) => (account ? ensure(account) : Effect.void), { discard: true })
  const queued = yield* Effect.forEach(views, (view, index) =>
    Effect.gen(function* () {
      const account = accounts.get(view.agent.id)
      if (account === undefined) return view
      const at = view.row.updatedAt
      const item = newMessage(view, yield* ids.next("que"), account.id, at, {
        bypass: false,
        invite: false,
        invitationNote: null,
        ...leavingAt(at, holdSeconds, times[index])
      })
      const placed: Message = isManual ? { ...item, reason: item.reason ?? "by_hand" } : item
      return { ...view, row: { ...view.row, queueItemId: item.id }, item: placed }
    })
  )
  const items = queued.flatMap(({ item }) => (item === null ? [] : [item]))
  if (items.length > 0) yield* (yield* TransmissionsRepo).save(organizationId, items)
  for (const { item, lead } of queued) {
    // A lead that was written to, or that waits already, stays where it is.
    if (item !== null && lead.status === "New") yield* markWaiting(lead.id)
  }
  return queued
})

/** The messages that other drafts to the lead are known to be: no proof of this one. */
export const messagesOfOthers = Effect.fnUntraced(function* (organizationId: OrganizationId, leadId: LeadId) {
  const filter = { status: ["DISPATCHED"], leadId } as const
  const { items } = yield* (yield* DraftsRepo).list(organizationId, filter, { limit: 100 })
  return new Set(items.flatMap(({ row }) => (row.externalMessageId === null ? [] : [row.externalMessageId])))
})

/** How to send. `note` is for an invitation; `fence` is that of the dispatcher's lease. */
interface SendMode {
  readonly isFromCommand: boolean
  readonly fence?: number
  readonly invite: boolean
  readonly note: string | null
}

const liveItem = ({ item }: DraftView): Message | null =>
  item !== null && (item.state === "queued" || item.state === "waiting_relation") ? item : null

const messageOf = (
  view: DraftView,
  live: Message | null,
  id: string,
  accountId: AccountId,
  { invite, isFromCommand, note }: SendMode,
  at: string
): Message => {
  if (live === null) {
    return newMessage(view, id, accountId, at, { bypass: isFromCommand, invite, invitationNote: note, notBefore: null })
  }
  const bypass = live.bypass || isFromCommand
  return { ...live, bypass, invite: live.invite || invite, invitationNote: note ?? live.invitationNote }
}

/**
 * Claims an approved draft that is held, in the transaction that holds it. `before` is the draft as it was before this
 * transaction changed anything. Returns a claim; or the draft as it waits in the queue because account or person are busy or its
 * account rests; or that it must not leave, or was left as it is.
 *
 * Fails with WRONG_STATE, DRAFT_FINAL, DRAFT_IN_FLIGHT, SEND_OUTCOME_UNKNOWN and, for a caller, ACCOUNT_DISCONNECTED.
 */
export const claimSend = Effect.fnUntraced(function* (view: DraftView, before: DraftView, mode: SendMode) {
  const { organizationId } = yield* Actor
  const { isFromCommand } = mode
  const at = yield* now
  const { life } = yield* Effect.fromResult(decide(lifeOf(view), { _tag: "Start" }, at))
  const live = liveItem(view)
  const account = yield* accountIfAny(view.agent.id)
  const gate = yield* readFacts(view, account, {
    at: isFromCommand ? null : (view.item?.createdAt ?? view.row.approvedAt)
  })
  const repo = yield* TransmissionsRepo
  const id = live?.id ?? (yield* (yield* Ids).next("que"))
  const row = messageOf(view, live, id, account?.id ?? "", mode, at)
  const isToStore = live === null || isFromCommand
  const expiresAt = isFromCommand || row.state !== "waiting_relation" ? null : row.expiresAt
  const started = yield* startTransmission(
    { draft: view.row, row },
    account,
    { ...gate, expiresAt },
    {
      fence: mode.fence,
      isFromCommand,
      leadStatus: view.lead.status,
      recipient: view.row.approved?.recipient ?? [],
      prepare: isToStore ? repo.save(organizationId, [live === null ? { ...row, notBefore: at } : row]) : Effect.void
    }
  )
  if (started._tag === "No") return started
  if (started._tag === "Lost") return { ...started, view }
  if (started._tag === "Queued") return { _tag: "Queued", view: viewIn(view, started.life) } as const
  const { claim } = started
  const { createdAt, leadId } = view.row
  const sought = (yield* mayHaveLeft(createdAt))
    ? { text: row.bodyText, startedAt: createdAt, others: yield* messagesOfOthers(organizationId, leadId) }
    : undefined
  const draft = { ...(life.draft ?? view.row), queueItemId: id }
  yield* (yield* DraftsRepo).save(organizationId, [draft])
  const claimed: MessageClaim = {
    ...claim,
    before: { row: before.row, item: live },
    view: { ...view, row: draft, item: claim.row },
    recipient: { ...claim.recipient, invitedAt: claim.row.invitedAt ?? claim.recipient.invitedAt },
    sought
  }
  return { _tag: "Claim", claim: claimed } as const
})
