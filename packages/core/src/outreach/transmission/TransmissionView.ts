/** A transmission with what decides whether it may leave, and what is shown beside it. */

import type { WorkingHours } from "../../agents/WorkingHours.ts"
import type { TextRules } from "../../kernel/command/Permission.ts"
import type { AgentId, InstantText, LeadId, MissionId } from "../../kernel/schema/IdsAndTime.ts"
import type { LeadStatus } from "../../leads/LeadStatus.ts"
import type { MissionStatus } from "../../missions/MissionStatus.ts"
import type { AccountHold } from "./pacing/Pacing.ts"
import type { Transmission } from "./Transmission.ts"

/** See above. Texts that are not known are empty. */
export interface TransmissionView<Row extends Transmission = Transmission> {
  readonly row: Row
  readonly lead: {
    readonly id: LeadId
    readonly name: string
    readonly company: string
    readonly email: string
    readonly linkedinUrl: string
    readonly status: LeadStatus
    readonly wasWritten: boolean
    readonly lastInboundAt: InstantText | null
    readonly timezone: string
  }
  readonly agent: {
    readonly id: AgentId
    readonly handle: string
    readonly name: string
    readonly deleted: boolean
    readonly timezone: string
    readonly workingHours: WorkingHours
    /** The addresses that it may send e-mails from. */
    readonly addresses: ReadonlyArray<string>
  }
  /** That of an e-mail, or of the draft. */
  readonly mission: {
    readonly id: MissionId
    readonly handle: string
    readonly name: string
    readonly status: MissionStatus
  } | null
  /** What the organization requires of texts. */
  readonly rules: TextRules
  readonly hold: AccountHold
  /** The place of a message among those of its account that wait, from 1; null for others. */
  readonly position: number | null
}

type OfKind<Kind> = Extract<Transmission, { readonly kind: Kind }>

/** Whether it is of a kind. */
export const isOfKind =
  <Kind extends Transmission["kind"]>(...kinds: ReadonlyArray<Kind>) =>
  (view: TransmissionView): view is TransmissionView<OfKind<Kind>> =>
    kinds.some((kind) => kind === view.row.kind)
