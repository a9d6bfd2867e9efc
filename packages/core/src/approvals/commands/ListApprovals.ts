import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import * as Command from "../../Command.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../Page.ts"
import { now } from "../../Time.ts"
import { Approval, approvalOf } from "../Approval.ts"
import { ApprovalsRepo, approvalStates } from "../ApprovalsRepo.ts"

/** `approval.list`: what waits for a person. */
export const ListApprovals = Command.make({
  id: "approval.list",
  title: "List requests for approval",
  summary: "Read the runs that wait for a person's decision, newest first.",
  description:
    "Where a policy says ask, a command is not run but kept until a person approves or rejects it. Answers those that " +
    "wait, or those in another state. approval.get shows what exactly would be run.",
  whenToUse: "To find what to decide on, or what became of something that was asked for.",
  category: "workspace",
  risk: "read",
  scope: "missions:read",
  input: Schema.Struct({
    state: Schema.Literals([...approvalStates, "all"])
      .annotate({ description: "Which requests: pending (default), approved, rejected, expired, or all" })
      .pipe(Schema.withDecodingDefaultKey(Effect.succeed("pending" as const))),
    cursor: CursorText,
    limit: Limit
  }),
  output: Schema.Struct({ approvals: Schema.Array(Approval), next_cursor: NextCursor }),
  relatedCommands: ["approval.get", "approval.resolve", "policy.get"],
  examples: [{ title: "What waits", input: {} }],
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const repo = yield* ApprovalsRepo
    const at = yield* now
    const state = input.state === "all" ? undefined : input.state
    const page = yield* readPage(organizationId, "approvals", input, (request) =>
      repo.list(organizationId, { state, now: at }, request)
    )
    return { approvals: page.items.map((row) => approvalOf(row, at)), next_cursor: page.nextCursor }
  })
})
