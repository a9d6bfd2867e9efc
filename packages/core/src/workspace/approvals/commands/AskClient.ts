import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../../kernel/command/Actor.ts"
import * as Command from "../../../kernel/command/Command.ts"
import { Delegation } from "../../../kernel/command/Delegation.ts"
import { NotFound } from "../../../kernel/failure/failures.ts"
import { PublicUrl } from "../../../kernel/resource/PublicUrl.ts"
import { now } from "../../../kernel/schema/Time.ts"
import { Workspaces } from "../../organizations/Workspaces.ts"
import { Approval, ApprovalIdText, isOwn, readableRequester, showApprovals } from "../Approval.ts"
import { ApprovalsRepo, stateAt } from "../ApprovalsRepo.ts"
import { mayDecide } from "../approvalRules.ts"
import { CallHash } from "../CallHash.ts"
import { newQuestionId, writeState } from "../questionState.ts"
import { formText, linkText } from "../questionText.ts"
import { holdRequest } from "../settleRequest.ts"

const modes = ["form", "url"] as const

const Question = Schema.Struct({
  question_id: Schema.String,
  mode: Schema.Literals(modes).annotate({ description: "form: accept decides; url: accept opens the link" }),
  message: Schema.String.annotate({ description: "What the person reads before they answer" }),
  state: Schema.String.annotate({ description: "Send it with the answer" })
})

/** `approval.ask-client`: a question about an own request, for the user of an MCP client. */
export const AskClient = Command.make({
  id: "approval.ask-client",
  title: "Ask the user of an MCP client",
  summary: "Get a question for the user of an MCP client",
  description:
    "For MCP servers and clients, not for models. Returns what to ask the user of the client about a pending request of " +
    "the same key: a form that decides, where client_answers of policy.set is on, the user of the key may decide, and the " +
    "form shows everything that the request holds; otherwise the link to the review page. A new question replaces the " +
    "one before, and can be answered once, within an hour.",
  whenToUse: "When a call was held for approval and the client can ask its user.",
  category: "workspace",
  risk: "mutate",
  scope: "missions:read",
  effects: { does: ["answers"], channels: [] },
  input: Schema.Struct({
    approval_request_id: ApprovalIdText,
    modes: Schema.Array(Schema.Literals(modes))
      .check(Schema.isMaxLength(modes.length))
      .annotate({ description: "What the client can show: form, url" }),
    call: CallHash
  }),
  output: Schema.Struct({
    approval: Approval,
    question: Schema.NullOr(Question).annotate({
      description: "Null if nothing is to be decided, another key asked, or the client can show nothing that helps"
    })
  }),
  failures: [NotFound],
  riskNotes: ["An accepted form approves the request in the name of the key's user."],
  relatedCommands: ["approval.answer", "approval.get", "policy.set"],
  examples: [
    {
      title: "A form or a link",
      input: { approval_request_id: "apr_SAMPLE00000000000000000001", modes: ["form", "url"] }
    }
  ],
  run: Effect.fnUntraced(function* ({ approval_request_id, call = "", modes: able }) {
    const actor = yield* Actor
    const row = yield* holdRequest(approval_request_id)
    if (!isOwn(row, actor) && readableRequester(actor) !== undefined) {
      return yield* new NotFound({ kind: "approval request", id: approval_request_id })
    }
    const rules = yield* (yield* Workspaces).organizationPolicy(actor.organizationId)
    const at = yield* now
    const show = yield* showApprovals
    if (!isOwn(row, actor) || stateAt(row, at) !== "pending") return { approval: show(row), question: null }
    const title = (yield* Delegation).calling?.catalog.find(row.commandId)?.title ?? row.commandId
    const counts = rules.clientAnswers === true && mayDecide(rules, actor.userId)
    const form = counts && able.includes("form") ? formText(row, title) : undefined
    const hasLink = able.includes("url") && (yield* PublicUrl)() !== undefined
    if (form === undefined && !hasLink) return { approval: show(row), question: null }
    const client = actor.client?.name ?? "a client without a name"
    const question = { id: newQuestionId(), client, decides: form !== undefined, answer: null }
    const asked = { ...row, question }
    yield* (yield* ApprovalsRepo).replace(asked)
    return {
      approval: show(asked),
      question: {
        question_id: question.id,
        mode: form === undefined ? ("url" as const) : ("form" as const),
        message: form ?? linkText(title),
        state: yield* writeState(asked, question.id, call, at)
      }
    }
  })
})
