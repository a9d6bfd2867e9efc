/** What taking in what a provider tells needs. */
import type { Actor } from "../../kernel/command/Actor.ts"
import type { Execution } from "../../kernel/command/Execution.ts"
import type { Ids } from "../../kernel/schema/Ids.ts"
import type { LeadConsequences } from "../../leads/LeadConsequences.ts"
import type { LeadsRepo } from "../../leads/LeadsRepo.ts"
import type { DraftsRepo } from "../drafts/DraftsRepo.ts"
import type { AccountsRepo } from "../provider/AccountsRepo.ts"
import type { TransmissionsRepo } from "../transmission/TransmissionsRepo.ts"

/** Inside a transaction. */
export type InboundNeeds =
  | AccountsRepo
  | Actor
  | DraftsRepo
  | Execution
  | Ids
  | LeadConsequences
  | LeadsRepo
  | TransmissionsRepo
