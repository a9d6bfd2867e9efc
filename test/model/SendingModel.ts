/**
 * The reference model of drafts, queue and leads: what the rules say, in the plainest way, on one thread and in a few arrays.
 *
 * Numbers that the product takes from hashes (rests, jitter) are given to it; everything else it works out itself.
 */
import { isOpenAt, type OracleHours, opensAt } from "./OracleHours.ts"

/** How a person behaves: connected, not connected, or refusing everything. */
export type Kind = "friend" | "stranger" | "blocker"

interface Item {
  readonly order: number
  state: "queued" | "waiting_relation" | "sent" | "failed" | "cancelled"
  notBefore: number
  bypass: boolean
  expiresAt: number | null
  readonly createdAt: number
}

/** A draft, and the person it is for. */
export interface ModelDraft {
  readonly key: string
  readonly kind: Kind
  readonly account: ModelAccount
  readonly mission: ModelMission | null
  readonly leadZone: string | undefined
  status: "PENDING_REVIEW" | "READY_TO_SEND" | "DISPATCHED" | "CANCELLED"
  lead: "New" | "Waiting" | "Contacted" | "DoNotContact"
  /** When the person was invited, which outlives every queue item. */
  invitedAt: number | null
  /** Whether the dispatcher has found that the person accepted. */
  isAccepted: boolean
  item: Item | null
}

/** A mission, which may be paused. */
export interface ModelMission {
  isActive: boolean
}

/** An account with its agent's hours. `capAt` and `restOf` give what depends on hashes, in messages and milliseconds. */
export interface ModelAccount {
  readonly hours: OracleHours
  readonly capAt: (instant: number) => number
  readonly restOf: (draft: ModelDraft) => number
  restsUntil: number
  heldUntil: number
  readonly sent: Array<{ readonly key: string; readonly at: number }>
}

const second = 1_000
const day = 86_400 * second
const hold = 10 * second
const lookAgain = 600 * second
const relationWait = 21 * day
/** Longer than any of the weeks that are tried stays closed. */
const farthest = 20 * day

const lookForRelation = (at: number, since: number, expiresAt: number): number =>
  Math.min(expiresAt, at + Math.min(86_400 * second, Math.max(2 * second, (at - since) / 2)))

/** The model. Instants are milliseconds. */
export class SendingModel {
  readonly drafts: Array<ModelDraft> = []
  /** How often what held a message back, or moved it on. */
  readonly met: Record<"hours" | "leadHours" | "limit" | "timeout" | "accepted" | "refused", number> = {
    hours: 0,
    leadHours: 0,
    limit: 0,
    timeout: 0,
    accepted: 0,
    refused: 0
  }
  readonly acceptMillis: number
  #items = 0

  constructor(acceptMillis: number) {
    this.acceptMillis = acceptMillis
  }

  #newItem(at: number, bypass: boolean): Item {
    const order = ++this.#items
    const notBefore = bypass ? at : at + hold
    return { order, state: "queued", notBefore, bypass, expiresAt: null, createdAt: at }
  }

  approve(draft: ModelDraft, at: number): void {
    if (draft.status !== "PENDING_REVIEW") return
    draft.status = "READY_TO_SEND"
    draft.item = this.#newItem(at, false)
    if (draft.lead === "New") draft.lead = "Waiting"
  }

  /** send_now, of a draft under review or in the queue. */
  sendNow(draft: ModelDraft, invite: boolean, at: number): void {
    const before = draft.item?.state === "queued" ? draft.item : null
    const item = before === null ? this.#newItem(at, true) : { ...before, bypass: true }
    draft.account.restsUntil = at + draft.account.restOf(draft)
    if (draft.kind === "blocker") {
      // Refused: everything is as it was.
      return
    }
    draft.status = "READY_TO_SEND"
    draft.item = item
    if (this.#isConnected(draft, at)) {
      this.#sent(draft, item, at)
      return
    }
    if (invite) draft.invitedAt ??= at
    this.#waits(draft, item, at)
  }

  cancelItem(draft: ModelDraft): void {
    if (draft.item === null || !["queued", "waiting_relation"].includes(draft.item.state)) return
    this.#ends(draft, "cancelled", "PENDING_REVIEW")
  }

  cancelDraft(draft: ModelDraft): void {
    if (draft.status === "DISPATCHED" || draft.status === "CANCELLED") return
    this.#ends(draft, "cancelled", "CANCELLED")
  }

  optOut(draft: ModelDraft): void {
    this.cancelDraft(draft)
    draft.lead = "DoNotContact"
  }

  /** A round of the dispatcher. */
  round(at: number): void {
    for (const account of new Set(this.drafts.map((draft) => draft.account))) {
      for (;;) {
        const [next] = this.drafts
          .filter((draft) => draft.account === account && this.#mayGo(draft, at))
          .sort(
            (a, b) => (a.item?.notBefore ?? 0) - (b.item?.notBefore ?? 0) || (a.item?.order ?? 0) - (b.item?.order ?? 0)
          )
        if (next?.item === undefined || next.item === null) break
        this.#work(next, next.item, at)
      }
    }
  }

  #mayGo({ account, item, mission, status }: ModelDraft, at: number): boolean {
    if (status !== "READY_TO_SEND" || item === null || item.notBefore > at) return false
    if (item.state !== "queued" && item.state !== "waiting_relation") return false
    if (!item.bypass && mission !== null && !mission.isActive) return false
    if (item.state === "waiting_relation" || item.bypass) return true
    return account.restsUntil <= at && account.heldUntil <= at
  }

  #isConnected({ invitedAt, kind }: ModelDraft, at: number): boolean {
    if (kind !== "stranger") return true
    return invitedAt !== null && at >= invitedAt + this.acceptMillis
  }

  #work(draft: ModelDraft, item: Item, at: number): void {
    const { account } = draft
    if (item.state === "waiting_relation") {
      if (item.expiresAt !== null && item.expiresAt <= at) {
        this.met.timeout++
        this.#ends(draft, "failed", "PENDING_REVIEW")
        return
      }
      if (!this.#isConnected(draft, at)) {
        item.notBefore = lookForRelation(at, item.createdAt, item.expiresAt ?? at + relationWait)
        return
      }
      draft.isAccepted = true
    }
    if (!item.bypass) {
      const { hours } = account
      if (!isOpenAt(hours, undefined, at)) {
        this.met.hours++
        this.#holds(draft, item, opensAt(hours, undefined, at, lookAgain), at)
        return
      }
      if (!isOpenAt(hours, draft.leadZone, at)) {
        this.met.leadHours++
        item.notBefore = opensAt(hours, draft.leadZone, at, farthest)
        return
      }
      if (account.restsUntil > at) {
        this.#holds(draft, item, account.restsUntil, at)
        return
      }
      const within = account.sent.filter((sent) => sent.at > at - day)
      const cap = account.capAt(at)
      const oldest = within.at(-cap)
      if (within.length >= cap && oldest !== undefined) {
        this.met.limit++
        this.#holds(draft, item, oldest.at + day, at)
        return
      }
    }
    account.restsUntil = at + account.restOf(draft)
    if (draft.kind === "blocker") {
      this.met.refused++
      this.#ends(draft, "failed", "PENDING_REVIEW")
      return
    }
    if (this.#isConnected(draft, at)) {
      if (item.state === "waiting_relation") this.met.accepted++
      this.#sent(draft, item, at)
      return
    }
    this.#waits(draft, item, at)
  }

  #holds({ account }: ModelDraft, item: Item, until: number, at: number): void {
    account.heldUntil = Math.min(until, at + lookAgain)
    item.state = "queued"
    item.expiresAt = null
  }

  #waits(draft: ModelDraft, item: Item, at: number): void {
    item.state = "waiting_relation"
    item.expiresAt ??= at + relationWait
    item.notBefore = lookForRelation(at, item.createdAt, item.expiresAt)
    if (draft.lead === "New") draft.lead = "Waiting"
  }

  #sent(draft: ModelDraft, item: Item, at: number): void {
    item.state = "sent"
    draft.status = "DISPATCHED"
    if (draft.lead === "New" || draft.lead === "Waiting") draft.lead = "Contacted"
    draft.account.sent.push({ key: draft.key, at })
  }

  #ends(draft: ModelDraft, state: "failed" | "cancelled", status: ModelDraft["status"]): void {
    if (draft.item !== null && ["queued", "waiting_relation"].includes(draft.item.state)) draft.item.state = state
    draft.status = status
    // An invitation that is open, as far as is known, is something that was sent.
    const isInvited = draft.invitedAt !== null && !draft.isAccepted
    if (draft.lead === "Waiting" && !isInvited) draft.lead = "New"
  }
}
