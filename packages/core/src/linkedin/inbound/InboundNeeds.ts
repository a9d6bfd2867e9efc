/** What taking in what a provider tells needs. */
import type { Actor } from "../../Actor.ts"
import type { Execution } from "../../Execution.ts"
import type { Ids } from "../../Ids.ts"
import type { LeadConsequences, LeadsRepo } from "../../leads/index.ts"
import type { AccountsRepo } from "../AccountsRepo.ts"
import type { DraftsRepo } from "../DraftsRepo.ts"
import type { QueueRepo } from "../QueueRepo.ts"
import type { InboxRepo } from "./InboxRepo.ts"

/** Inside a transaction. */
export type InboundNeeds =
  | AccountsRepo
  | Actor
  | DraftsRepo
  | Execution
  | Ids
  | InboxRepo
  | LeadConsequences
  | LeadsRepo
  | QueueRepo
