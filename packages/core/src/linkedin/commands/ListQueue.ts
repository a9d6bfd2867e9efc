import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import * as Command from "../../Command.ts"
import { CursorText, Limit, NextCursor, readPage } from "../../Page.ts"
import { nonEmptyLine } from "../../TextFields.ts"
import { listQueue } from "../listQueue.ts"
import { openStates, QueueEntry, QueueState } from "../QueueEntry.ts"

const optional = Schema.optionalKey

/** `linkedin.queue.list`: reads what is on its way to LinkedIn. */
export const ListQueue = Command.make({
  id: "linkedin.queue.list",
  title: "List the LinkedIn queue",
  summary: "Read which messages and invitations wait, why, and until when.",
  description:
    "Answers a page of messages and invitations, oldest first: those not settled yet, or those in the states given. Each " +
    "says why it is where it is and before when it is not tried. Invitations that are open have the state pending, which " +
    "must be asked for.",
  whenToUse:
    "When an approved draft was not sent yet, and to find items in state ambiguous, which a person must settle.",
  category: "linkedin",
  risk: "read",
  scope: "linkedin:read",
  input: Schema.Struct({
    account_id: optional(nonEmptyLine(64, "Only items of this LinkedIn account")),
    state: optional(
      Schema.Array(QueueState).check(Schema.isMaxLength(10)).annotate({
        description: "Only items in one of these states; leave it out for all that are not settled"
      })
    ),
    kind: optional(
      Schema.Literals(["message", "invitation"]).annotate({ description: "Only these; leave it out for both" })
    ),
    cursor: CursorText,
    limit: Limit
  }),
  output: Schema.Struct({ items: Schema.Array(QueueEntry), next_cursor: NextCursor }),
  outputNotes: ["position counts the messages of one account that wait; those of send_now come first."],
  relatedCommands: [
    "linkedin.queue.cancel",
    "linkedin.queue.resolve",
    "linkedin.invitation.withdraw",
    "linkedin.usage.get"
  ],
  relatedResources: ["svc://linkedin/queue", "svc://linkedin/usage"],
  examples: [{ title: "What nobody knows the outcome of", input: { state: ["ambiguous"] } }],
  run: Effect.fnUntraced(function* (input) {
    const { organizationId } = yield* Actor
    const states = input.state === undefined || input.state.length === 0 ? openStates : input.state
    const filter = { accountId: input.account_id, states, kind: input.kind }
    const page = yield* readPage(organizationId, "linkedin.queue", input, (request) => listQueue(filter, request))
    return { items: page.items, next_cursor: page.nextCursor }
  })
})
