/** A whole service in process, asked over its fetch handler, with what tests need to read answers. */

import { assert } from "@effect/vitest"
import { scopes } from "#core/kernel/command/Permission.ts"
import { createKey, type KeyRequest } from "#core/workspace/organizations/Provisioning.ts"
import type { OwnCommand } from "#embed/catalogueLayer.ts"
import { createSvc, type SvcOptions } from "#embed/createSvc.ts"

/** An answer, read to its end. `body` is the parsed JSON, undefined when there is no body. */
export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: unknown
}

/** What a request may say; `json` becomes the body with its content type. */
export interface Asked {
  readonly key?: string | null
  readonly json?: unknown
  readonly body?: string | Uint8Array<ArrayBuffer>
  readonly headers?: Readonly<Record<string, string>>
}

/** Reads a `Response` to its end; a body that says it is JSON must be JSON. */
export const readReply = async (response: Response): Promise<Reply> => {
  const text = await response.text()
  const isJson = response.headers.get("content-type") === "application/json" && text !== ""
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : undefined }
}

/** The request that `asked` describes. */
export const requestInit = (method: string, asked: Asked, key: string): RequestInit => {
  const headers = new Headers()
  const used = asked.key === undefined ? key : asked.key
  if (used !== null) headers.set("authorization", `Bearer ${used}`)
  const body = asked.json === undefined ? asked.body : JSON.stringify(asked.json)
  if (body !== undefined) headers.set("content-type", "application/json")
  for (const [name, value] of Object.entries(asked.headers ?? {})) headers.set(name, value)
  return { method, headers, ...(body === undefined ? {} : { body }) }
}

/** A value inside a JSON value by its dotted path; undefined when something on the way is missing. */
export const at = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>(
      (inner, name) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, name) : undefined),
      value
    )

/** The same, for a text. */
export const textAt = (value: unknown, path: string): string => {
  const found = at(value, path)
  assert.strictEqual(typeof found, "string", path)
  return String(found)
}

/** The names of an object's properties, sorted. */
export const namesOf = (value: unknown): ReadonlyArray<string> => {
  assert.ok(typeof value === "object" && value !== null && !Array.isArray(value), "an object is expected")
  return Object.keys(value).sort()
}

/** Asserts that an object has exactly these properties. */
export const hasExactly = (value: unknown, names: ReadonlyArray<string>): void =>
  assert.deepStrictEqual(namesOf(value), [...names].sort())

/** Asserts the spec's error object with this status and code, and what every answer carries. */
export const isError = (reply: Reply, status: number, code: string): void => {
  assert.strictEqual(`${reply.status} ${at(reply.body, "error.code")}`, `${status} ${code}`, reply.text.slice(0, 300))
  assert.strictEqual(reply.headers.get("content-type"), "application/json")
  hasExactly(reply.body, ["error"])
  hasExactly(at(reply.body, "error"), ["code", "message"])
  assert.match(textAt(reply.body, "error.message"), /[.?]$/)
  assert.match(reply.headers.get("svc-request-id") ?? "", /^req_[0-9a-f-]{36}$/)
}

/** Asserts the envelope of a command that failed. */
export const isFailedCommand = (reply: Reply, status: number, code: string): void => {
  assert.strictEqual(`${reply.status} ${at(reply.body, "error.code")}`, `${status} ${code}`, reply.text.slice(0, 300))
  hasExactly(reply.body, ["error", "meta", "ok", "status"])
  hasExactly(at(reply.body, "error"), ["code", "message"])
  hasExactly(at(reply.body, "meta"), ["approval_required", "approval_request_id", "command_hash", "warnings"])
  assert.strictEqual(at(reply.body, "ok"), false)
  assert.strictEqual(at(reply.body, "status"), status)
  assert.strictEqual(at(reply.body, "meta.approval_required"), false)
  assert.strictEqual(at(reply.body, "meta.approval_request_id"), "")
  assert.match(textAt(reply.body, "meta.command_hash"), /^([0-9a-f]{64})?$/)
  assert.match(reply.headers.get("svc-request-id") ?? "", /^req_[0-9a-f-]{36}$/)
}

/** Starts a service on memory with the simulated gateway, no rate limit, and one more organization with a key. */
export const openService = async <Extra extends OwnCommand = never>(options: SvcOptions<Extra> = {}) => {
  const svc = await createSvc<Extra>({
    ...(options.database === undefined ? { databaseUrl: "memory:" } : {}),
    gateway: "simulator",
    worker: false,
    rateLimit: 0,
    publicUrl: "http://svc.test",
    defaultScopes: scopes,
    ...options
  })
  const { apiKey, organizationId } = await svc.createOrganization("Tests")
  return {
    svc,
    key: apiKey,
    organizationId,
    /** Asks with the organization's key, unless `asked` says otherwise. */
    ask: async (method: string, path: string, asked: Asked = {}): Promise<Reply> =>
      readReply(await svc.fetch(new Request(`http://svc.test${path}`, requestInit(method, asked, apiKey)))),
    /** Makes another key; its text and id. */
    makeKey: async (request: KeyRequest, organization = organizationId) => {
      const { key, text } = await svc.effect.runtime.runPromise(createKey(organization, request))
      return { text, keyId: key.keyId }
    }
  }
}

/** A service opened for a test. */
export type Service = Awaited<ReturnType<typeof openService<never>>>

/** The fields of an offer, as the spec lists them. */
export const offerFields =
  "id organizationId name oneLiner valueProposition description landingPageUrl salesBriefUrl isDraft lastUsedAt references problemSolutions differentiators resources createdAt updatedAt".split(
    " "
  )

/** The smallest body of POST /api/v1/offers. */
export const smallOffer = { name: "Audit", oneLiner: "A day with your books", valueProposition: "Find what leaks." }
