import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../../kernel/command/Actor.ts"
import * as Command from "../../../kernel/command/Command.ts"
import { ApprovalPolicy, NotFound, WrongState } from "../../../kernel/failure/failures.ts"
import { line } from "../../../kernel/schema/TextFields.ts"
import { Workspaces } from "../../organizations/Workspaces.ts"
import { ApprovalIdText, isOwn } from "../Approval.ts"
import { mayDecide, notApprover } from "../approvalRules.ts"
import { holdRequest, settledFields, settleRequest } from "../settleRequest.ts"

/** `approval.resolve`: a person's decision. */
export const ResolveApproval = Command.make({
  id: "approval.resolve",
  title: "Decide on an approval request",
  summary: "Approve and run, or reject, an approval request",
  description:
    "approve runs the held input once, in the same organization, with the name and rights of the person who " +
    "approves; the response contains the outcome, and the audit records both the request and the decision. reject " +
    "runs nothing. Only a person can decide, with the scope of the command, and nobody approves their own request. " +
    "Where policy.set names approvers, only they can decide; the requester can still reject.",
  whenToUse: "When approval.list shows a request for you to decide.",
  category: "workspace",
  risk: "approval",
  scope: "missions:read",
  effects: { does: ["governs"], channels: ["linkedin", "email"] },
  input: Schema.Struct({
    approval_request_id: ApprovalIdText,
    decision: Schema.Literals(["approve", "reject"]).annotate({ description: "approve runs it, reject drops it" }),
    reason: Schema.optionalKey(line(500, "The reason, for the requester"))
  }),
  output: Schema.Struct(settledFields),
  failures: [NotFound, WrongState],
  outward: true,
  shownOnce: ["result"],
  riskNotes: ["Approving runs the command, which may send a message. Read approval.get first."],
  relatedCommands: ["approval.list", "approval.get", "policy.set"],
  examples: [
    {
      title: "Approve",
      input: { approval_request_id: "apr_SAMPLE00000000000000000002", decision: "approve", reason: "Fine" }
    }
  ],
  run: Effect.fnUntraced(function* ({ approval_request_id, decision, reason = "" }) {
    const actor = yield* Actor
    const workspaces = yield* Workspaces
    const held = Effect.gen(function* () {
      const row = yield* holdRequest(approval_request_id)
      const own = isOwn(row, actor)
      if (own && decision === "approve") {
        return yield* new ApprovalPolicy({
          message: "You can't approve your own request. Ask somebody else to approve it, or reject it to withdraw it."
        })
      }
      const rules = yield* workspaces.organizationPolicy(actor.organizationId)
      return own || mayDecide(rules, actor.userId) ? row : yield* notApprover(rules)
    })
    return yield* settleRequest(held, { decision, reason, through: null })
  })
})
