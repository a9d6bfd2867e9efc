import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../Command.ts"
import { Approval, ApprovalIdText, approvalOf, getApproval } from "../Approval.ts"

/** `approval.get`: one request with its input. */
export const GetApproval = Command.make({
  id: "approval.get",
  title: "Read a request for approval",
  summary: "Read one request with the input that would be run.",
  description:
    "Shows who asked, which command, and the input exactly as it was sent. The input is kept until the request is settled.",
  whenToUse: "Before deciding, and to see how a request ended.",
  category: "workspace",
  risk: "read",
  scope: "missions:read",
  input: Schema.Struct({ approval_request_id: ApprovalIdText }),
  output: Schema.Struct({
    approval: Approval,
    input: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)).annotate({
      description: "The input that would be run; null once the request is settled"
    })
  }),
  relatedCommands: ["approval.list", "approval.resolve"],
  examples: [{ title: "What would be run", input: { approval_request_id: "apr_SAMPLE00000000000000000001" } }],
  run: Effect.fnUntraced(function* ({ approval_request_id }) {
    const { at, row } = yield* getApproval(approval_request_id)
    return { approval: approvalOf(row, at), input: row.input }
  })
})
