import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../../kernel/command/Command.ts"
import { NotFound } from "../../../kernel/failure/failures.ts"
import { Approval, ApprovalIdText, approvalOf, getApproval } from "../Approval.ts"

/** `approval.get`: one request with its input. */
export const GetApproval = Command.make({
  id: "approval.get",
  title: "Get an approval request",
  summary: "Get an approval request and its input",
  description:
    "Returns who asked, which command, and the input that would run: as it was sent, with the text, recipient or hash " +
    "that the decision is about. Requires the scope of that command. The input is kept until the request is settled.",
  whenToUse: "Before deciding, and to see how a request ended.",
  category: "workspace",
  risk: "read",
  scope: "missions:read",
  input: Schema.Struct({ approval_request_id: ApprovalIdText }),
  output: Schema.Struct({
    approval: Approval,
    input: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)).annotate({
      description: "The input to run; null once the request is settled"
    })
  }),
  failures: [NotFound],
  relatedCommands: ["approval.list", "approval.resolve"],
  examples: [{ title: "A pending request", input: { approval_request_id: "apr_SAMPLE00000000000000000001" } }],
  run: Effect.fnUntraced(function* ({ approval_request_id }) {
    const { at, row } = yield* getApproval(approval_request_id)
    return { approval: approvalOf(row, at), input: row.input }
  })
})
