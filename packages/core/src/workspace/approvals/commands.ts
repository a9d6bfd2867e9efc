/** Policies, and the approval requests that they create. */
import { AnswerClient } from "./commands/AnswerClient.ts"
import { AskClient } from "./commands/AskClient.ts"
import { GetApproval } from "./commands/GetApproval.ts"
import { GetPolicies } from "./commands/GetPolicies.ts"
import { ListApprovals } from "./commands/ListApprovals.ts"
import { ResolveApproval } from "./commands/ResolveApproval.ts"
import { SetPolicy } from "./commands/SetPolicy.ts"

/** The commands of this domain. */
export const commands = [
  ListApprovals,
  GetApproval,
  ResolveApproval,
  AskClient,
  AnswerClient,
  GetPolicies,
  SetPolicy
] as const
