/** A round of the dispatcher: which, and what it needs. */

import type { Journal } from "../../kernel/journal/Journal.ts"
import type { Transaction } from "../../kernel/journal/Transaction.ts"
import type { Ids } from "../../kernel/schema/Ids.ts"
import type { OrganizationId } from "../../kernel/schema/RecordIds.ts"
import type { LeadConsequences } from "../../leads/LeadConsequences.ts"
import type { LeadsRepo } from "../../leads/LeadsRepo.ts"
import type { SuppressionsRepo } from "../../leads/suppression/SuppressionsRepo.ts"
import type { DraftsRepo } from "../drafts/DraftsRepo.ts"
import type { AccountsRepo } from "../provider/AccountsRepo.ts"
import type { LinkedInGateway } from "../provider/LinkedInGateway.ts"
import type { TransmissionsRepo } from "./TransmissionsRepo.ts"

/** What the dispatcher needs. */
export type DispatchNeeds =
  | AccountsRepo
  | DraftsRepo
  | Ids
  | Journal
  | LeadConsequences
  | LeadsRepo
  | LinkedInGateway
  | SuppressionsRepo
  | Transaction
  | TransmissionsRepo

/** Which round: of one organization or of all, and at most how many messages. */
export interface DispatchRound {
  readonly organizationId?: OrganizationId
  readonly limit?: number
  readonly concurrency?: number
}
