/** What holds an account, as columns of `linkedin_pacing`, which statements name p. */
import type { QueueReason } from "@svc/core/linkedin/DraftRow"
import type { AccountHold } from "@svc/core/linkedin/pacing/Pacing"

/** The columns as a statement answers them; null where the account has no row. */
export interface HoldColumns {
  readonly paced_until: Date | null
  readonly paced_reason: QueueReason | null
  readonly look_at: Date | null
  readonly next_at: Date | null
  readonly message_stopped_until: Date | null
  readonly invitation_stopped_until: Date | null
  readonly invitation_paced_until: Date | null
  readonly invitation_paced_reason: QueueReason | null
  readonly invitation_look_at: Date | null
}

/** Their names, for a select list. */
export const holdColumns = `p.paced_until, p.paced_reason, p.look_at, p.next_at, p.message_stopped_until,
  p.invitation_stopped_until, p.invitation_paced_until, p.invitation_paced_reason, p.invitation_look_at`

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

/** The hold out of its columns. */
export const holdOf = (row: HoldColumns): AccountHold => ({
  pacedUntil: iso(row.paced_until),
  pacedReason: row.paced_reason,
  lookAt: iso(row.look_at),
  nextAt: iso(row.next_at),
  messageStoppedUntil: iso(row.message_stopped_until),
  invitationStoppedUntil: iso(row.invitation_stopped_until),
  invitationPacedUntil: iso(row.invitation_paced_until),
  invitationPacedReason: row.invitation_paced_reason,
  invitationLookAt: iso(row.invitation_look_at)
})
