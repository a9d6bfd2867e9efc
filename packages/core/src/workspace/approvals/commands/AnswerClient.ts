import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../../kernel/command/Actor.ts"
import * as Command from "../../../kernel/command/Command.ts"
import { Execution } from "../../../kernel/command/Execution.ts"
import { ContentChanged, NotFound, WrongState } from "../../../kernel/failure/failures.ts"
import { Journal } from "../../../kernel/journal/Journal.ts"
import { line } from "../../../kernel/schema/TextFields.ts"
import { now } from "../../../kernel/schema/Time.ts"
import { Workspaces } from "../../organizations/Workspaces.ts"
import { showApprovals } from "../Approval.ts"
import { clientActions } from "../ApprovalRow.ts"
import { ApprovalsRepo, stateAt } from "../ApprovalsRepo.ts"
import { mayDecide } from "../approvalRules.ts"
import { CallHash } from "../CallHash.ts"
import { contentHashOf, readState } from "../questionState.ts"
import { outcomeOf } from "../runOutcome.ts"
import { holdRequest, settledFields, settleRequest } from "../settleRequest.ts"

/** `approval.answer`: what the user of an MCP client said. */
export const AnswerClient = Command.make({
  id: "approval.answer",
  title: "Record the answer of a client's user",
  summary: "Record what the user of an MCP client answered",
  description:
    "For MCP servers and clients, not for models. Takes the state of approval.ask-client and what the user did. A form " +
    "that decides: accept approves and runs the request in the name of the key's user, decline rejects it, cancel leaves " +
    "it open. A link, or where client_answers is off by now: the answer is noted and decides nothing. Each question is " +
    "answered once.",
  whenToUse: "When the user of the client has answered the question.",
  category: "workspace",
  risk: "approval",
  scope: "missions:read",
  effects: { does: ["answers"], channels: ["linkedin", "email"] },
  input: Schema.Struct({
    state: Schema.String.check(Schema.isBetweenLength(1, 2_000)).annotate({
      description: "state of the question, unchanged"
    }),
    action: Schema.Literals(clientActions).annotate({ description: "What the user did: accept, decline or cancel" }),
    reason: Schema.optionalKey(line(500, "What the user wrote, for the requester")),
    call: CallHash
  }),
  output: Schema.Struct(settledFields),
  failures: [NotFound, WrongState, ContentChanged],
  outward: true,
  shownOnce: ["result"],
  riskNotes: ["accept of a form runs the command, which may send a message."],
  relatedCommands: ["approval.ask-client", "approval.get"],
  examples: [{ title: "Accepted", input: { state: "eyJhIjoiYXByXzEifQ.c2lnbmF0dXJl", action: "accept" } }],
  run: Effect.fnUntraced(function* ({ action, call = "", reason = "", state: text }) {
    const actor = yield* Actor
    const { commit, finish } = yield* Execution
    const repo = yield* ApprovalsRepo
    const workspaces = yield* Workspaces
    const journal = yield* Journal
    const { approvalId, contentHash, questionId } = yield* readState(text, call, yield* now)
    // The answer is stored before anything is decided, so it counts once.
    const { isDecision, through } = yield* commit(
      Effect.gen(function* () {
        const row = yield* holdRequest(approvalId)
        const { question } = row
        if (question?.id !== questionId || question.answer !== null) {
          return yield* new WrongState({
            message: `The question was answered, or is not the latest one. Read request ${approvalId} with approval.get.`
          })
        }
        if (row.input !== null && contentHashOf(row) !== contentHash) {
          return yield* new ContentChanged({
            message: "The request holds other content than was shown. Run the command again, and read what it asks."
          })
        }
        const at = yield* now
        const rules = yield* workspaces.organizationPolicy(actor.organizationId)
        const decides = question.decides && rules.clientAnswers === true && mayDecide(rules, actor.userId)
        yield* repo.replace({ ...row, question: { ...question, decides, answer: { action, at } } })
        const isDecision = decides && action !== "cancel" && stateAt(row, at) === "pending"
        return { isDecision, through: question.client }
      })
    )
    if (isDecision) {
      const decision = action === "accept" ? "approve" : "reject"
      return yield* settleRequest(holdRequest(approvalId), { decision, reason, through })
    }
    return yield* finish(
      Effect.gen(function* () {
        const row = yield* holdRequest(approvalId)
        const show = yield* showApprovals
        return { approval: show(row), ...(yield* outcomeOf(row, journal)) }
      })
    )
  })
})
