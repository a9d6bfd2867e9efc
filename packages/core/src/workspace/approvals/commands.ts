/** Policies, and the approval requests that they create. */

import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../kernel/command/Command.ts"
import { Delegation } from "../../kernel/command/Delegation.ts"
import { Actor } from "../../kernel/command/Execution.ts"
import { ApprovalPolicy, InvalidCursor, NotFound, WrongState } from "../../kernel/failure/failures.ts"
import { Journal } from "../../kernel/journal/Journal.ts"
import { now } from "../../kernel/schema/IdsAndTime.ts"
import { NextCursor, pageFields, readPage } from "../../kernel/schema/Page.ts"
import { line } from "../../kernel/schema/TextFields.ts"
import { Workspaces } from "../Workspaces.ts"
import { Approval, ApprovalIdText, getApproval, isOwn, readableRequester, showApprovals } from "./Approval.ts"
import { approvalStates, openInput } from "./ApprovalRow.ts"
import { AnswerClient, AskClient } from "./commands/AskClient.ts"
import { GetPolicies, SetPolicy } from "./commands/policies.ts"
import { mayDecide, notApprover } from "./Policies.ts"
import { holdRequest, settledFields, settleRequest, shownWithOutcome } from "./settleRequest.ts"

/** `approval.get`: one request with its input, and what came of it. */
const GetApproval = Command.make({
  id: "approval.get",
  title: "Get an approval request",
  summary: "Get an approval request and its outcome",
  description:
    "Returns who asked, which command, and the input that would run: as it was sent, with the text, recipient or hash " +
    "that the decision is about. Once it is decided: by whom, when, and what the command returned or why it failed. " +
    "While it is pending, link is where a person decides, and ask_again_after_seconds says when to call this again. " +
    "Requires the scope of that command; AI agents and draft-only keys can read their own requests.",
  whenToUse: "Before deciding, and to see how a request ended.",
  risk: "read",
  scope: "missions:read",
  input: Schema.Struct({ approval_request_id: ApprovalIdText }),
  output: Schema.Struct({
    ...settledFields,
    input: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)).annotate({
      description: "The input to run; null once the request is settled"
    })
  }),
  failures: [NotFound],
  relatedCommands: ["approval.list", "approval.resolve"],
  examples: [{ title: "A pending request", input: { approval_request_id: "apr_SAMPLE00000000000000000001" } }],
  run: Effect.fnUntraced(function* ({ approval_request_id }) {
    const row = yield* getApproval(approval_request_id)
    return { input: openInput(row), ...(yield* shownWithOutcome(row, yield* Journal)) }
  })
})

/** `approval.list`: the approval requests. */
const ListApprovals = Command.make({
  id: "approval.list",
  title: "List approval requests",
  summary: "List approval requests, newest first",
  description:
    "Where a policy says ask, a command is held until a person approves or rejects it. Returns pending requests, or " +
    "those in another state, for the commands that your scopes allow; to AI agents and draft-only keys, their own. " +
    "approval.get shows exactly what would run.",
  whenToUse: "To find requests to decide on, or what happened to one.",
  risk: "read",
  scope: "missions:read",
  input: Schema.Struct({
    state: Schema.Literals([...approvalStates, "all"])
      .annotate({ description: "Status of the requests: pending (default), approved, rejected, expired, or all" })
      .pipe(Schema.withDecodingDefaultKey(Effect.succeed("pending" as const))),
    ...pageFields
  }),
  output: Schema.Struct({ approvals: Schema.Array(Approval), next_cursor: NextCursor }),
  failures: [InvalidCursor],
  relatedCommands: ["approval.get", "approval.resolve", "policy.get"],
  examples: [{ title: "Pending reviews", input: {} }],
  run: Effect.fnUntraced(function* (input) {
    const actor = yield* Actor
    const { list } = (yield* Workspaces).approvals
    const at = yield* now
    const hidden = (yield* Delegation).forbidden()
    const state = input.state === "all" ? undefined : input.state
    const page = yield* readPage("approvals", input, list, {
      state,
      now: at,
      hidden,
      requester: readableRequester(actor)
    })
    return { approvals: page.items.map(yield* showApprovals), next_cursor: page.next_cursor }
  })
})

/** `approval.resolve`: a person's decision. */
const ResolveApproval = Command.make({
  id: "approval.resolve",
  title: "Decide on an approval request",
  summary: "Approve and run, or reject, an approval request",
  description:
    "approve runs the held input once, in the same organization, with the name and rights of the person who " +
    "approves; the response contains the outcome, and the audit records both the request and the decision. reject " +
    "runs nothing. Only a person can decide, with the scope of the command, and nobody approves their own request. " +
    "Where policy.set names approvers, only they can decide; the requester can still reject.",
  whenToUse: "When approval.list shows a request for you to decide.",
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
      // A person's second key is the same person; what an AI agent with a person's key asked for is the person's to decide.
      const own = isOwn(row, actor) || (row.requestedBy.kind === "USER" && row.requestedBy.userId === actor.userId)
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
