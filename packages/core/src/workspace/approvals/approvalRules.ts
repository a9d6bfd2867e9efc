/** The organization's rules for approval requests: who decides, how long, and whether clients' answers count. */
import * as Effect from "effect/Effect"
import { Actor } from "../../kernel/command/Actor.ts"
import type { ApprovalRules, CommandPolicy, TextRules } from "../../kernel/command/Permission.ts"
import { OrganizationPolicies } from "../../kernel/command/Policy.ts"
import { ApprovalPolicy, type StoreFailure } from "../../kernel/failure/failures.ts"
import { Workspaces } from "../organizations/Workspaces.ts"

/** The rules, at most a second old. */
export const approvalRules: Effect.Effect<CommandPolicy, StoreFailure, Actor> = Effect.gen(function* () {
  const { organizationId, policies } = yield* Actor
  return policies?.organization ?? (yield* (yield* OrganizationPolicies)(organizationId))
})

/** What the organization requires of texts, as stored: what leaves now obeys what was set before. */
export const textRules: Effect.Effect<TextRules, StoreFailure, Actor | Workspaces> = Effect.gen(function* () {
  const { organizationId } = yield* Actor
  return yield* (yield* Workspaces).organizationPolicy(organizationId)
})

/** Whether a user may decide. */
export const mayDecide = ({ approvers }: ApprovalRules, userId: string): boolean =>
  approvers === undefined || approvers.some(({ user_id }) => user_id === userId)

/** The failure for a user who may not decide. */
export const notApprover = ({ approvers = [] }: ApprovalRules): ApprovalPolicy =>
  new ApprovalPolicy({
    message:
      `Only named approvers can decide on approval requests: ${approvers.map(({ user_id }) => user_id).join(", ")}. ` +
      "Ask one of them, or somebody with the scope admin to change approvers with policy.set."
  })
