/**
 * JSON-RPC 2.0 as the protocol uses it: one message at a time, ids that are texts or integers, no batches.
 *
 * Source: the protocol's revisions 2025-06-18 (no batches), 2025-11-25 and 2026-07-28.
 */

/** What a request is known by. */
export type RequestId = string | number

/** What a method is given. */
export type Params = Readonly<Record<string, unknown>>

/** A message of a client. A response answers something that we never ask, so it says nothing. */
export type Message =
  | { readonly _tag: "Request"; readonly id: RequestId; readonly method: string; readonly params: Params }
  | { readonly _tag: "Notification"; readonly method: string; readonly params: Params }
  | { readonly _tag: "Response" }
  | { readonly _tag: "Invalid"; readonly id: RequestId | null }

/** Codes of refusals. Those from -32020 on are the protocol's own. */
export const errorCodes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  refused: -32000,
  resourceNotFound: -32002,
  headerMismatch: -32020,
  unsupportedVersion: -32022
} as const

/** A refusal of a message itself. What a tool refuses is no such thing: it is a result that says so. */
export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** What is answered to a request. */
export type Reply =
  | { readonly jsonrpc: "2.0"; readonly id: RequestId; readonly result: Params }
  | { readonly jsonrpc: "2.0"; readonly id: RequestId | null; readonly error: RpcError }

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Params =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isId = (value: unknown): value is RequestId =>
  typeof value === "string" || (typeof value === "number" && Number.isInteger(value))

/** Reads one message. */
export const readMessage = (value: unknown): Message => {
  if (!isObject(value) || value["jsonrpc"] !== "2.0") return { _tag: "Invalid", id: null }
  const { id, method, params } = value
  const known = isId(id) ? id : null
  if (method === undefined && known !== null && ("result" in value || "error" in value)) return { _tag: "Response" }
  if (typeof method !== "string" || (params !== undefined && !isObject(params))) return { _tag: "Invalid", id: known }
  const given = isObject(params) ? params : {}
  if (id === undefined) return { _tag: "Notification", method, params: given }
  return known === null ? { _tag: "Invalid", id: null } : { _tag: "Request", id: known, method, params: given }
}

/** The reply with a result. */
export const succeeded = (id: RequestId, result: Params): Reply => ({ jsonrpc: "2.0", id, result })

/** The reply with a refusal. */
export const refused = (id: RequestId | null, error: RpcError): Reply => ({ jsonrpc: "2.0", id, error })
