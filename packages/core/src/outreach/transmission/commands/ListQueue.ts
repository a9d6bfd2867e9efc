import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../../kernel/command/Actor.ts"
import * as Command from "../../../kernel/command/Command.ts"
import { InvalidCursor } from "../../../kernel/failure/failures.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../../kernel/schema/Page.ts"
import { nonEmptyLine } from "../../../kernel/schema/TextFields.ts"
import { now } from "../../../kernel/schema/Time.ts"
import { entryOf, QueueEntry, QueueState, unsettledStates } from "../QueueEntry.ts"
import { SendOptions } from "../SendOptions.ts"
import { TransmissionsRepo } from "../TransmissionsRepo.ts"
import { isOfKind } from "../TransmissionView.ts"

const optional = Schema.optionalKey

/** `linkedin.queue.list`: reads what is on its way to LinkedIn. */
export const ListQueue = Command.make({
  id: "linkedin.queue.list",
  title: "List the LinkedIn queue",
  summary: "List queued messages and invitations, oldest first",
  description:
    "Returns a page of messages and invitations: those not settled yet, or those in the given states. Each shows the " +
    "reason for its state and the earliest time of the next attempt. Open invitations have state pending, which you " +
    "must ask for.",
  whenToUse:
    "When an approved draft has not been sent, and to find items in state ambiguous, which a person must settle.",
  category: "linkedin",
  risk: "read",
  scope: "linkedin:read",
  input: Schema.Struct({
    account_id: optional(nonEmptyLine(64, "Only items of this LinkedIn account")),
    state: optional(
      Schema.Array(QueueState).check(Schema.isMaxLength(10)).annotate({
        description: "Only items in these states; omit for all that are not settled"
      })
    ),
    kind: optional(
      Schema.Literals(["message", "invitation"]).annotate({ description: "Only this kind; omit for both" })
    ),
    cursor: CursorText,
    limit: Limit
  }),
  output: Schema.Struct({ items: Schema.Array(QueueEntry), next_cursor: NextCursor }),
  failures: [InvalidCursor],
  outputNotes: ["position counts the queued messages of one account; send_now comes first."],
  relatedCommands: [
    "linkedin.queue.cancel",
    "linkedin.queue.resolve",
    "linkedin.invitation.withdraw",
    "linkedin.usage.get"
  ],
  relatedResources: ["svc://linkedin/queue", "svc://linkedin/usage"],
  examples: [{ title: "Items with an unknown outcome", input: { state: ["ambiguous"] } }],
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const states = input.state === undefined || input.state.length === 0 ? unsettledStates : input.state
    const kinds = input.kind === undefined ? (["message", "invitation"] as const) : [input.kind]
    const filter = { accountId: input.account_id, states, kinds, order: "oldest" } as const
    const { list } = yield* TransmissionsRepo
    const page = yield* readPage(organizationId, "linkedin.queue", input, (request) =>
      list(organizationId, filter, request)
    )
    const { pacing } = yield* SendOptions
    const at = yield* now
    const items = page.items.filter(isOfKind("message", "invitation")).map((view) => entryOf(view, at, pacing))
    return { items, next_cursor: page.nextCursor }
  })
})
