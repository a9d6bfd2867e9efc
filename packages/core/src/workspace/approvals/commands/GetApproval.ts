import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../../kernel/command/Command.ts"
import { NotFound } from "../../../kernel/failure/failures.ts"
import { Journal } from "../../../kernel/journal/Journal.ts"
import { Approval, ApprovalIdText, getApproval, showApprovals } from "../Approval.ts"
import { outcomeOf, RunError, RunResult } from "../runOutcome.ts"

/** `approval.get`: one request with its input, and what came of it. */
export const GetApproval = Command.make({
  id: "approval.get",
  title: "Get an approval request",
  summary: "Get an approval request and its outcome",
  description:
    "Returns who asked, which command, and the input that would run: as it was sent, with the text, recipient or hash " +
    "that the decision is about. Once it is decided: by whom, when, and what the command returned or why it failed. " +
    "While it is pending, link is where a person decides, and ask_again_after_seconds says when to call this again. " +
    "Requires the scope of that command; AI agents and draft-only keys can read their own requests.",
  whenToUse: "Before deciding, and to see how a request ended.",
  category: "workspace",
  risk: "read",
  scope: "missions:read",
  input: Schema.Struct({ approval_request_id: ApprovalIdText }),
  output: Schema.Struct({
    approval: Approval,
    input: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)).annotate({
      description: "The input to run; null once the request is settled"
    }),
    result: RunResult,
    error: RunError
  }),
  failures: [NotFound],
  relatedCommands: ["approval.list", "approval.resolve"],
  examples: [{ title: "A pending request", input: { approval_request_id: "apr_SAMPLE00000000000000000001" } }],
  run: Effect.fnUntraced(function* ({ approval_request_id }) {
    const row = yield* getApproval(approval_request_id)
    const show = yield* showApprovals
    return { approval: show(row), input: row.input, ...(yield* outcomeOf(row, yield* Journal)) }
  })
})
