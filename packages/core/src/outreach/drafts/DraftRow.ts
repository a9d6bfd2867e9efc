/** A draft as it is stored. */

import type {
  AgentId,
  DraftId,
  InstantText,
  LeadId,
  MissionId,
  OrganizationId,
  QueueItemId
} from "../../kernel/schema/IdsAndTime.ts"
import type { Identity } from "../../leads/identity/Identity.ts"
import type { DraftActor, DraftReview, DraftStatus } from "./DraftStatus.ts"
import type { DraftStep, EvidenceItem } from "./Evidence.ts"

/** A draft as stored. Instants are ISO texts. */
export interface DraftRow {
  readonly id: DraftId
  readonly organizationId: OrganizationId
  readonly leadId: LeadId
  readonly agentId: AgentId
  readonly missionId: MissionId | null
  readonly status: DraftStatus
  /** The candidate texts; a variation's position is its index. */
  readonly variations: ReadonlyArray<string>
  readonly selectedIndex: number | null
  readonly selectedBodyText: string | null
  /** The latest queue item since the latest approval. */
  readonly queueItemId: QueueItemId | null
  /** Our id of the message on the lead, and the provider's. */
  readonly messageId: string | null
  readonly externalMessageId: string | null
  /** The facts that its claims rest on, as its writer says. */
  readonly evidence: ReadonlyArray<EvidenceItem>
  readonly review: DraftReview
  /** Who did what with it, oldest first. */
  readonly steps: ReadonlyArray<DraftStep>
  readonly createdBy: DraftActor
  readonly approvedBy: DraftActor | null
  /** Whom it was approved for: one identity, or none. */
  readonly recipient: ReadonlyArray<Identity>
  readonly approvedAt: InstantText | null
  readonly cancelledAt: string | null
  readonly dispatchedAt: InstantText | null
  readonly createdAt: InstantText
  readonly updatedAt: InstantText
}
