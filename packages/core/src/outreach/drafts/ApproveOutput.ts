/** What `linkedin.draft.approve` answers: the spec's closed shapes. */
import * as Schema from "effect/Schema"
import { LinkedInDraft } from "./LinkedInDraft.ts"

/** What became of send_now. */
export const DispatchResult = Schema.Union([
  Schema.Struct({
    status: Schema.Literal("sent"),
    messageId: Schema.optionalKey(Schema.String),
    externalMessageId: Schema.optionalKey(Schema.String)
  }).annotate({ description: "Sent: the provider confirmed the message" }),
  Schema.Struct({ status: Schema.Literal("queued"), queueId: Schema.String }).annotate({
    description: "Queued: sent as soon as provider, account and person allow"
  }),
  Schema.Struct({ status: Schema.Literal("waiting_relation"), messageQueueId: Schema.String }).annotate({
    description: "Waiting: sent when the person is connected with the agent's account"
  })
])
export type DispatchResult = typeof DispatchResult.Type

/** The whole output. `dispatch_result` is null without send_now. */
export const ApproveOutput = Schema.Struct({
  draft: LinkedInDraft,
  dispatch_result: Schema.NullOr(DispatchResult),
  mode: Schema.Literals(["approved", "sent"])
})
export type ApproveOutput = typeof ApproveOutput.Type
