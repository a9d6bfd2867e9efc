/** JSON-RPC 2.0 as MCP uses it: one message at a time, string or integer ids, no batches. */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"

/** The id of a request. */
export type RequestId = string | number

/** Parameters of a method, or a result. */
export type Params = Readonly<Record<string, unknown>>

/** A message of a client. `result` of a response is undefined if it is an error. */
export type Message =
  | { readonly _tag: "Request"; readonly id: RequestId; readonly method: string; readonly params: Params }
  | { readonly _tag: "Notification"; readonly method: string; readonly params: Params }
  | { readonly _tag: "Response"; readonly id: RequestId; readonly result: unknown }
  | { readonly _tag: "Invalid"; readonly id: RequestId | null }

/** Error codes. Those from -32020 down are MCP's own. */
export const errorCodes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  refused: -32000,
  resourceNotFound: -32002,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedVersion: -32022
} as const

/** A protocol error. A failed tool call is a result instead. */
export interface RpcError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** The reply to a request. */
export type Reply =
  | { readonly jsonrpc: "2.0"; readonly id: RequestId; readonly result: Params }
  | { readonly jsonrpc: "2.0"; readonly id: RequestId | null; readonly error: RpcError }

/** The error for parameters that a method does not take. */
export const invalidParams = (message: string): RpcError => ({ code: errorCodes.invalidParams, message })

/** An object; an empty one for anything else. */
export const objectOf = (value: unknown): Params => (Predicate.isReadonlyObject(value) ? value : {})

/** The `_meta` of a request or result. */
export const metaOf = (params: Params): Params => objectOf(params["_meta"])

/** Reads JSON; undefined for anything else. */
export const parseJson = (text: string): unknown => Result.getOrUndefined(Result.try(() => JSON.parse(text)))

const isId = (value: unknown): value is RequestId =>
  typeof value === "string" || (typeof value === "number" && Number.isInteger(value))

/** Parses one message. */
export const readMessage = (value: unknown): Message => {
  const { error, id, jsonrpc, method, params = {}, result } = objectOf(value)
  if (jsonrpc !== "2.0") return { _tag: "Invalid", id: null }
  const known = isId(id) ? id : null
  if (method === undefined && known !== null && (result !== undefined || error !== undefined)) {
    return { _tag: "Response", id: known, result }
  }
  if (typeof method !== "string" || !Predicate.isReadonlyObject(params)) return { _tag: "Invalid", id: known }
  if (id === undefined) return { _tag: "Notification", method, params }
  return known === null ? { _tag: "Invalid", id: null } : { _tag: "Request", id: known, method, params }
}

/** A notification of the server. */
export const notification = (method: string, params: Params): Params => ({ jsonrpc: "2.0", method, params })

/** The reply with a result. */
export const succeeded = (id: RequestId, result: Params): Reply => ({ jsonrpc: "2.0", id, result })

/** The reply with an error. */
export const refused = (id: RequestId | null, error: RpcError): Reply => ({ jsonrpc: "2.0", id, error })
