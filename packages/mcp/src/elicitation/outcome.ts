/** What became of an approval request, as the result of the call that was held. */
import * as Predicate from "effect/Predicate"
import type { Params } from "../JsonRpc.ts"
import type { CallResult } from "../Workspace.ts"

/** The output of `approval.get` and `approval.answer`, as it may come from a server elsewhere. */
export interface Decided {
  readonly approval: Params
  readonly result: unknown
  readonly error: unknown
}

/** The parts of an output; undefined unless it is about a request. */
export const decidedIn = (result: CallResult): Decided | undefined => {
  if (!result.ok || !Predicate.isReadonlyObject(result.data)) return undefined
  const { approval, error = null, result: output = null } = result.data
  return Predicate.isReadonlyObject(approval) ? { approval, result: output, error } : undefined
}

const metaOf = ({ approval_request_id, command_hash }: Params, isHeld: boolean) => ({
  approval_required: isHeld,
  approval_request_id: String(approval_request_id),
  command_hash: String(command_hash),
  warnings: []
})

/** The result of a call that still waits: where a person decides, and when to ask again. */
const heldResult = (approval: Params): CallResult => {
  const { approval_request_id, approvers, ask_again_after_seconds, expires_at, link, state } = approval
  const data = {
    approval_required: true,
    approval_request_id,
    state,
    link,
    expires_at,
    approvers,
    ask_again_after_seconds
  }
  return { ok: true, status: 200, data, meta: metaOf(approval, true) }
}

const failed = (status: number, code: string, message: string, approval: Params): CallResult => ({
  ok: false,
  status,
  error: { code, message },
  meta: metaOf(approval, false)
})

/** The result of the call: its own output if it was approved and run, what went wrong, or that it waits. */
export const outcomeResult = ({ approval, error, result }: Decided): CallResult => {
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
