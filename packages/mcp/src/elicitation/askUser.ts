/**
 * A call that a policy holds, in a client that can ask its user.
 *
 * Up to 2025-11-25 the question is a request on the stream of the call. Its answer comes in a POST of its own, maybe to
 * another process, and is found by the signed state in the id of the question; the call watches the stored approval request.
 * Since 2026-07-28 the question is the result of the call, which the client makes again with the answer and the state.
 */
import { sha256Hex } from "@svc/core"
import { canonicalJson } from "@svc/core/internal"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { invalidParams, notification, objectOf, type Params, type RequestId, type RpcError } from "../JsonRpc.ts"
import type { Notify } from "../progress.ts"
import { capabilitiesOf, isStatelessRequest, modesOf, stateless } from "../requestMeta.ts"
import { visibleText } from "../toolResult.ts"
import type { CallResult, Context, Workspace } from "../Workspace.ts"

/** The parts of an output of `approval.get` or `approval.answer`; undefined unless it is about a request. */
const decidedIn = (result: CallResult) => {
  if (!result.ok || !Predicate.isReadonlyObject(result.data)) return undefined
  const { approval, error = null, result: output = null } = result.data
  return Predicate.isReadonlyObject(approval) ? { approval, result: output, error } : undefined
}

type Decided = NonNullable<ReturnType<typeof decidedIn>>

const metaOf = ({ approval_request_id, command_hash }: Params, isHeld: boolean) => ({
  approval_required: isHeld,
  approval_request_id: String(approval_request_id),
  command_hash: String(command_hash),
  warnings: []
})

/** The result of a call that still waits: where a person decides, and when to ask again. */
const heldResult = (approval: Params): CallResult => {
  const { approval_request_id, approvers, ask_again_after_seconds, expires_at, link, state } = approval
  const asked = { approval_request_id, state, link, expires_at, approvers, ask_again_after_seconds }
  return { ok: true, status: 200, data: { approval_required: true, ...asked }, meta: metaOf(approval, true) }
}

const failed = (status: number, code: string, message: string, approval: Params): CallResult => ({
  ok: false,
  status,
  error: { code, message },
  meta: metaOf(approval, false)
})

/** The result of the call: its own output if it was approved and run, what went wrong, or that it waits. */
const outcomeResult = ({ approval, error, result }: Decided): CallResult => {
  const { approval_request_id: id, outcome, reason, resolved_by, state } = approval
  if (state === "rejected") {
    const by = Predicate.isReadonlyObject(resolved_by) ? ` by ${String(resolved_by["user_id"])}` : ""
    const why = typeof reason === "string" && reason !== "" ? `: ${reason}` : ""
    return failed(403, "APPROVAL_POLICY", `Request ${String(id)} was rejected${by}${why}. Nothing was done.`, approval)
  }
  if (state === "expired") {
    const message = `Request ${String(id)} expired. Nothing was done. Make the call again to create a new request.`
    return failed(409, "WRONG_STATE", message, approval)
  }
  if (state !== "approved" || typeof outcome !== "string") return heldResult(approval)
  if (Predicate.isReadonlyObject(error)) return failed(409, String(error["code"]), String(error["message"]), approval)
  return { ok: true, status: 200, data: result ?? {}, meta: metaOf(approval, false) }
}

/** Key of the question in `inputRequests`, and start of its id as a request. */
const questionKey = "decision"

const idPrefix = `${questionKey}:`

/** How long a call waits for an answer, and for how long at most between two looks, in milliseconds. */
const maxWait = 10 * 60_000

const maxPause = 2_000

/** The question that `approval.ask-client` returned. */
const questionIn = (result: CallResult) => {
  const { question } = objectOf(result.ok ? result.data : undefined)
  if (!Predicate.isReadonlyObject(question)) return undefined
  const { message, mode, question_id, state } = question
  return { id: String(question_id), mode: String(mode), message: String(message), state: String(state) }
}

type Question = NonNullable<ReturnType<typeof questionIn>>

const run = (workspace: Workspace, command: string, input: Params): Effect.Effect<CallResult> =>
  workspace.run({ command, input, options: {} })

const reasonField = { type: "string", title: "Reason", description: "For the agent; optional", maxLength: 500 }

/** The parameters of `elicitation/create`. */
const elicitation = ({ id, message, mode }: Question, { link }: Params, isStateless: boolean): Params => {
  const text = visibleText(message)
  return mode === "form"
    ? { message: text, requestedSchema: { type: "object", properties: { reason: reasonField } } }
    : { mode, message: text, url: String(link), ...(isStateless ? {} : { elicitationId: id }) }
}

/** What the user did, from a result of `elicitation/create`; undefined if it is none. */
const answerIn = (result: unknown): Params | undefined => {
  const { action, content } = objectOf(result)
  if (action !== "accept" && action !== "decline" && action !== "cancel") return undefined
  const { reason } = objectOf(content)
  const line = typeof reason === "string" ? visibleText(reason).replaceAll(/\s+/g, " ").trim().slice(0, 500) : ""
  return { action, ...(line === "" ? {} : { reason: line.toWellFormed() }) }
}

/** The client's answer to a question; undefined if there is none, or one to another question. */
const answerTo = ({ approval }: Decided, question: Question): Params | undefined => {
  const answer = objectOf(approval["client_answer"])
  return answer["question_id"] === question.id ? answer : undefined
}

/** Whether nothing more comes of waiting. */
const isOver = (decided: Decided, question: Question): boolean => {
  const { outcome, state } = decided.approval
  if (state === "approved") return outcome !== null
  const answer = answerTo(decided, question)
  return state !== "pending" || (answer !== undefined && (answer["decides"] !== true || answer["action"] === "cancel"))
}

/** Looks at the request until it is decided, has expired or was answered, for ten minutes at most. */
const watch = Effect.fnUntraced(function* (workspace: Workspace, id: unknown, question: Question, from: Decided) {
  const start = yield* Clock.currentTimeMillis
  let latest = from
  for (let pause = 100; (yield* Clock.currentTimeMillis) - start < maxWait; pause = Math.min(maxPause, pause * 1.5)) {
    yield* Effect.sleep(pause)
    // A server that is busy or away for a moment is asked again.
    latest = decidedIn(yield* run(workspace, "approval.get", { approval_request_id: id })) ?? latest
    if (isOver(latest, question)) break
  }
  return latest
})

const cancelled = (requestId: string): Params =>
  notification("notifications/cancelled", {
    requestId,
    reason: "It was decided elsewhere, or nobody waits for it."
  })

/** Asks on the stream of the call, and waits. */
const askNow = Effect.fnUntraced(function* (workspace: Workspace, notify: Notify, question: Question, asked: Decided) {
  const id = `${idPrefix}${question.state}`
  const params = elicitation(question, asked.approval, false)
  yield* notify({ jsonrpc: "2.0", id, method: "elicitation/create", params })
  const latest = yield* watch(workspace, asked.approval["approval_request_id"], question, asked)
  if (answerTo(latest, question) === undefined) yield* notify(cancelled(id))
  return outcomeResult(latest)
})

const inputRequired = (question: Question, approval: Params): Params => ({
  resultType: "input_required",
  inputRequests: { [questionKey]: { method: "elicitation/create", params: elicitation(question, approval, true) } },
  requestState: question.state
})

/** A workspace in which every run has this result. */
const answering = (workspace: Workspace, result: CallResult): Workspace => ({
  ...workspace,
  run: () => Effect.succeed(result)
})

/**
 * Calls a tool. What a policy holds is asked of the client's user where the client can ask; otherwise the result has the link
 * to the review page. Fails for a state that was not signed for this call.
 */
export const withDecisions = (
  { modes = [], notify, workspace }: Context,
  params: Params,
  call: (workspace: Workspace) => Effect.Effect<Params, RpcError>
) => {
  const isStateless = isStatelessRequest(params)
  const able = isStateless ? modesOf(capabilitiesOf(params), stateless) : notify === undefined ? [] : modes
  const { arguments: args = {}, inputResponses, name, requestState } = params
  const answer = answerIn(objectOf(inputResponses)[questionKey])
  return Effect.gen(function* () {
    const hash = sha256Hex(canonicalJson([name, args]))
    if (isStateless && typeof requestState === "string" && answer !== undefined) {
      const result = yield* run(workspace, "approval.answer", { ...answer, state: requestState, call: hash })
      if (!result.ok && result.error.code === "INVALID_INPUT") {
        return yield* Effect.fail(invalidParams(`requestState: ${result.error.message}`))
      }
      const decided = decidedIn(result)
      return yield* call(answering(workspace, decided === undefined ? result : outcomeResult(decided)))
    }
    let question: Params | undefined
    const ask = Effect.fnUntraced(function* (held: CallResult, id: string) {
      const input = { approval_request_id: id }
      const asking = { ...input, modes: able, ...(isStateless ? { call: hash } : {}) }
      const first = able.length === 0 ? held : yield* run(workspace, "approval.ask-client", asking)
      // A key that may not ask may still read.
      const result = decidedIn(first) === undefined ? yield* run(workspace, "approval.get", input) : first
      const asked = decidedIn(result)
      if (asked === undefined) return held
      const found = questionIn(result)
      if (found === undefined) return outcomeResult(asked)
      if (!isStateless && notify !== undefined) return yield* askNow(workspace, notify, found, asked)
      question = inputRequired(found, asked.approval)
      return outcomeResult(asked)
    })
    const asking: Workspace = {
      ...workspace,
      run: Effect.fnUntraced(function* (made) {
        const result = yield* workspace.run(made)
        return result.meta?.approval_required === true ? yield* ask(result, result.meta.approval_request_id) : result
      })
    }
    const result = yield* call(asking)
    return question ?? result
  })
}

/** Takes the answer to a question, by the signed state in its id; fails if it is none, or comes too late. */
export const takeAnswer = Effect.fnUntraced(function* (workspace: Workspace, id: RequestId, result: unknown) {
  // Not a question of this service.
  if (typeof id !== "string" || !id.startsWith(idPrefix)) return
  const answer = answerIn(result) ?? { action: "cancel" }
  const outcome = yield* run(workspace, "approval.answer", { ...answer, state: id.slice(idPrefix.length) })
  if (!outcome.ok) yield* Effect.fail(invalidParams(`${outcome.error.code}: ${outcome.error.message}`))
})
