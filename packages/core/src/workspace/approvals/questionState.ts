/**
 * What a client carries between a question and its answer, signed: any process can check it, and none keeps it.
 *
 * It is valid for the key that asked, for one request for approval with the content that was shown, and for an hour. That
 * it is used once is up to the stored question.
 */
import { randomBytes } from "node:crypto"
import * as Effect from "effect/Effect"
import { Actor, rightsKeyOf } from "../../kernel/command/Actor.ts"
import { InvalidInput, WrongState } from "../../kernel/failure/failures.ts"
import { canonicalJson, constantTimeEqual, hmacBase64Url, sha256Hex } from "../../kernel/schema/Hash.ts"
import { CursorSecret } from "../../kernel/schema/Page.ts"
import type { ApprovalRow } from "./ApprovalRow.ts"

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
export const contentHashOf = ({ input }: ApprovalRow): string => sha256Hex(canonicalJson(input))

/** An id for a question. */
export const newQuestionId = (): string => randomBytes(12).toString("base64url")

const signature = Effect.fnUntraced(function* (body: string) {
  const actor = yield* Actor
  const scope = ["approval question", actor.organizationId, actor.userId, rightsKeyOf(actor)]
  return hmacBase64Url(yield* CursorSecret, `${canonicalJson(scope)}\n${body}`)
})

/** Signs the state of a question about a request, for the running actor. */
export const writeState = Effect.fnUntraced(function* (row: ApprovalRow, questionId: string, call: string, at: string) {
  const state: QuestionState = {
    approvalId: row.id,
    questionId,
    contentHash: contentHashOf(row),
    call,
    until: Date.parse(at) + questionMillis
  }
  const body = Buffer.from(JSON.stringify(state)).toString("base64url")
  return `${body}.${yield* signature(body)}`
})

/**
 * The state in a text. Fails with INVALID_INPUT unless it was signed for the running actor and this call, and with WRONG_STATE
 * if it is too old.
 */
export const readState = Effect.fnUntraced(function* (
  text: string,
  call: string,
  at: string
): Effect.fn.Return<QuestionState, InvalidInput | WrongState, Actor | CursorSecret> {
  const [body = "", mark = "", ...rest] = text.split(".")
  if (rest.length > 0 || !constantTimeEqual(mark, yield* signature(body))) {
    return yield* new InvalidInput({
      message: "state was not signed for this key, or was changed. Make the call again without it."
    })
  }
  const state: QuestionState = JSON.parse(Buffer.from(body, "base64url").toString("utf8"))
  if (state.call !== call) {
    return yield* new InvalidInput({ message: "state belongs to another call. Make the call again without it." })
  }
  if (state.until > Date.parse(at)) return state
  return yield* new WrongState({
    message: `The question is too old to be answered. Read request ${state.approvalId} with approval.get.`
  })
})
