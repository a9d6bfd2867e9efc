/** An e-mail to a lead, from its writing over its review to its sending. Source: G3; G10 (outcomes told apart). */
import type { WorkingHours } from "../agents/WorkingHours.ts"
import { canonicalJson, sha256Hex } from "../Hash.ts"
import type { LeadStatus } from "../leads/LeadStatus.ts"
import { openingFrom } from "../linkedin/pacing/Pacing.ts"
import type { EmailReviewStrategy } from "../missions/Mission.ts"
import type { MissionStatus } from "../missions/MissionStatus.ts"

/**
 * How far an e-mail is. `ambiguous`: it was handed over, and nobody knows whether it was taken; it is never sent again by
 * itself.
 */
export const emailStates = [
  "in_review",
  "queued",
  "sending",
  "sent",
  "failed",
  "ambiguous",
  "rejected",
  "cancelled"
] as const

/** See {@link emailStates}. */
export type EmailState = (typeof emailStates)[number]

/** What a reviewer can say. */
export const emailDecisions = ["approve", "reject", "edit"] as const

/** See {@link emailDecisions}. */
export type EmailDecision = (typeof emailDecisions)[number]

/** What is sent. */
export interface EmailText {
  readonly subject: string
  readonly bodyText: string
  /** Null for text alone. */
  readonly bodyHtml: string | null
}

/** An e-mail as it is stored. Instants are ISO texts. */
export interface EmailRow extends EmailText {
  readonly id: string
  readonly organizationId: string
  /** Null once the mission was deleted. */
  readonly missionId: string | null
  readonly agentId: string
  readonly leadId: string
  readonly fromAddress: string
  readonly toAddress: string
  /** Who reviews it: WEBHOOK turns into MANUAL when nobody decided in time. */
  readonly strategy: EmailReviewStrategy
  readonly state: EmailState
  /** Why it is in its state, where that does not go without saying. */
  readonly reason: string | null
  /** Until when a program may decide; null when there is no limit. */
  readonly expiresAt: string | null
  readonly decision: EmailDecision | null
  readonly decidedBy: string | null
  readonly decidedAt: string | null
  /** Transmissions begun; the number of one tells its outcome from that of an earlier one. */
  readonly attempts: number
  /** When it may leave; null unless it is queued. */
  readonly notBefore: string | null
  readonly messageId: string | null
  readonly sentAt: string | null
  readonly createdBy: string
  readonly createdAt: string
  readonly updatedAt: string
}

/** An e-mail with what is shown beside it. `lead` is the one that it was merged into, if it was. */
export interface EmailView {
  readonly row: EmailRow
  readonly mission: {
    readonly id: string
    readonly handle: string
    readonly name: string
    readonly status: MissionStatus
  } | null
  readonly agent: {
    readonly handle: string
    readonly name: string
    readonly isDeleted: boolean
    readonly timezone: string
    readonly workingHours: WorkingHours
  }
  readonly lead: {
    readonly id: string
    readonly name: string
    readonly company: string
    readonly status: LeadStatus
    readonly wasWritten: boolean
    /** Empty when it is not known. */
    readonly timezone: string
  }
}

/** Why an e-mail waits for the agent's working hours. */
export const outsideHours = "outside_hours"

/** The first instant from `at` on at which an e-mail may leave by working hours; `at` itself when it is one. Source: G6. */
export const opensAt = ({ agent, lead }: Pick<EmailView, "agent" | "lead">, at: string): string =>
  openingFrom(agent, lead.timezone === "" ? undefined : lead.timezone, at)

/** Names exactly what is reviewed: SHA-256 of e-mail, addressee and texts. Source: G3, G9. */
export const contentHashOf = ({ bodyHtml, bodyText, id, leadId, subject, toAddress }: EmailRow): string =>
  sha256Hex(
    canonicalJson({
      review_id: id,
      lead_id: leadId,
      to: toAddress,
      subject,
      body_text: bodyText,
      body_html: bodyHtml
    })
  )
