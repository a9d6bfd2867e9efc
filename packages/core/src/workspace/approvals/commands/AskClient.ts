import { randomBytes } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Command from "../../../kernel/command/Command.ts"
import { Delegation } from "../../../kernel/command/Delegation.ts"
import { Actor, Execution, PublicUrl, rightsKeyOf } from "../../../kernel/command/Execution.ts"
import { ContentChanged, InvalidInput, NotFound, WrongState } from "../../../kernel/failure/failures.ts"
import { Journal } from "../../../kernel/journal/Journal.ts"
import { canonicalJson, readSigned, sha256Hex, writeSigned } from "../../../kernel/schema/Hash.ts"
import { now } from "../../../kernel/schema/IdsAndTime.ts"
import { CursorSecret } from "../../../kernel/schema/Page.ts"
import { formatted, line, optional } from "../../../kernel/schema/TextFields.ts"
import { Workspaces } from "../../Workspaces.ts"
import { Approval, ApprovalIdText, isOwn, readableRequester, showApprovals } from "../Approval.ts"
import { type ApprovalRow, clientActions, openInput, stateAt } from "../ApprovalRow.ts"
import { mayDecide } from "../Policies.ts"
import { holdRequest, settledFields, settleRequest, shownWithOutcome } from "../settleRequest.ts"

// What a client carries between a question and its answer, signed: any process can check it, and none keeps it.
//
// It is valid for the key that asked, for one request for approval with the content that was shown, and for an hour. That
// it is used once is up to the stored question.

/** How long a question can be answered, in milliseconds. */
const questionMillis = 60 * 60_000

/** What is signed. `call` is the hash of the call that the question belongs to; empty where the transport knows the call. */
interface QuestionState {
  readonly approvalId: string
  readonly questionId: string
  readonly contentHash: string
  readonly call: string
  readonly until: number
}

/** The hash of what a request holds, and so of what is shown. */
const contentHashOf = ({ input }: ApprovalRow): string => sha256Hex(canonicalJson(input))

/** An id for a question. */
const newQuestionId = (): string => randomBytes(12).toString("base64url")

const purpose = Effect.map(Actor, (actor) =>
  canonicalJson(["approval question", actor.organizationId, actor.userId, rightsKeyOf(actor)])
)

/** Signs the state of a question about a request, for the running actor. */
const writeState = Effect.fnUntraced(function* (row: ApprovalRow, questionId: string, call: string, at: string) {
  const state: QuestionState = {
    approvalId: row.id,
    questionId,
    contentHash: contentHashOf(row),
    call,
    until: Date.parse(at) + questionMillis
  }
  return writeSigned(yield* CursorSecret, yield* purpose, state)
})

/**
 * The state in a text. Fails with INVALID_INPUT unless it was signed for the running actor and this call, and with WRONG_STATE
 * if it is too old.
 */
const readState = Effect.fnUntraced(function* (text: string, call: string, at: string) {
  const state = readSigned<QuestionState>(yield* CursorSecret, yield* purpose, text)
  if (state === undefined) {
    return yield* new InvalidInput({
      message: "state was not signed for this key, or was changed. Make the call again without it."
    })
  }
  if (state.call !== call) {
    return yield* new InvalidInput({ message: "state belongs to another call. Make the call again without it." })
  }
  if (state.until > Date.parse(at)) return state
  return yield* new WrongState({
    message: `The question is too old to be answered. Read request ${state.approvalId} with approval.get.`
  })
})

/** Binds a question to the call that it belongs to. */
const CallHash = optional(
  formatted(/^[0-9a-f]{64}$/u, 64, "a SHA-256 in lower-case hexadecimal"),
  "SHA-256 of the call that the question belongs to; the answer must repeat it"
)

/** Longest text of a form, in characters. A request that holds more is read in the review page. */
const maxForm = 6_000

/** A value with every further line marked, so that no text can pass for a field of the request. */
const shown = (value: unknown): string => {
  const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2)
  return /[\n\r\u0085\u2028\u2029]/.test(text) ? text.replace(/^|\r\n|[\n\r\u0085\u2028\u2029]/g, "\n> ") : text
}

/** Everything that the decision is about; undefined if it is too long for a form. */
const formText = ({ commandId, input }: ApprovalRow, title: string): string | undefined => {
  const fields = Object.entries(input ?? {}).map(([name, value]) => `${name}: ${shown(value)}`)
  const text = [
    `${title} (${commandId})? Accept approves exactly this and runs it in your name; decline rejects it.`,
    "",
    ...fields
  ].join("\n")
  return text.length > maxForm ? undefined : text
}

/** What to open the link for. */
const linkText = (title: string): string =>
  `${title}: a person has to approve it. Open the review page to read it and decide.`

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
    yield* (yield* Workspaces).approvals.replace(asked)
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
    const repo = (yield* Workspaces).approvals
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
        if (openInput(row) !== null && contentHashOf(row) !== contentHash) {
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
    return yield* finish(Effect.flatMap(holdRequest(approvalId), (row) => shownWithOutcome(row, journal)))
  })
})
