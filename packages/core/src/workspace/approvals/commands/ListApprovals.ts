import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../../kernel/command/Actor.ts"
import * as Command from "../../../kernel/command/Command.ts"
import { Delegation } from "../../../kernel/command/Delegation.ts"
import { InvalidCursor } from "../../../kernel/failure/failures.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../../kernel/schema/Page.ts"
import { now } from "../../../kernel/schema/Time.ts"
import { Approval, readableRequester, showApprovals } from "../Approval.ts"
import { ApprovalsRepo, approvalStates } from "../ApprovalsRepo.ts"

/** `approval.list`: the approval requests. */
export const ListApprovals = Command.make({
  id: "approval.list",
  title: "List approval requests",
  summary: "List approval requests, newest first",
  description:
    "Where a policy says ask, a command is held until a person approves or rejects it. Returns pending requests, or " +
    "those in another state, for the commands that your scopes allow; to AI agents and draft-only keys, their own. " +
    "approval.get shows exactly what would run.",
  whenToUse: "To find requests to decide on, or what happened to one.",
  category: "workspace",
  risk: "read",
  scope: "missions:read",
  input: Schema.Struct({
    state: Schema.Literals([...approvalStates, "all"])
      .annotate({ description: "Status of the requests: pending (default), approved, rejected, expired, or all" })
      .pipe(Schema.withDecodingDefaultKey(Effect.succeed("pending" as const))),
    cursor: CursorText,
    limit: Limit
  }),
  output: Schema.Struct({ approvals: Schema.Array(Approval), next_cursor: NextCursor }),
  failures: [InvalidCursor],
  relatedCommands: ["approval.get", "approval.resolve", "policy.get"],
  examples: [{ title: "Pending reviews", input: {} }],
  run: Effect.fnUntraced(function* (input) {
    const actor = yield* Actor
    const { organizationId } = actor
    const repo = yield* ApprovalsRepo
    const at = yield* now
    const hidden = (yield* Delegation).forbidden()
    const state = input.state === "all" ? undefined : input.state
    const page = yield* readPage(organizationId, "approvals", input, (request) =>
      repo.list(organizationId, { state, now: at, hidden, requester: readableRequester(actor) }, request)
    )
    return { approvals: page.items.map(yield* showApprovals), next_cursor: page.nextCursor }
  })
})
