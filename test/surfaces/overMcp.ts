/** The agent protocol as a surface: each step a call of a tool over HTTP, told again as HTTP would have answered it. */
import { commands } from "#core/commands.ts"
import { isForModels } from "#core/kernel/command/Effects.ts"
import { enveloped, listening, type Outcome, type Surface } from "./Surface.ts"

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** What a refusal's text says: `CODE: message`. */
const errorOf = (result: Json): { readonly code: string; readonly message: string } => {
  const [block] = Array.isArray(result["content"]) ? result["content"] : []
  const [, code = "", message = ""] = /^([A-Z_]+): (.*)$/s.exec(String(Object(block).text)) ?? []
  return { code, message: message.replace(/ Retry after \d+ s\.$/, "") }
}

const told = (result: Json, isResource: boolean): Outcome => {
  const facts: Json = Object(result["_meta"])
  const status = Number(facts["svc/status"])
  const meta = facts["svc/meta"]
  if (result["isError"] === true && status >= 400) {
    if (result["structuredContent"] !== undefined) throw new Error("a refusal has structuredContent")
    const error = errorOf(result)
    if (error.code !== facts["svc/code"]) throw new Error(`two codes: ${JSON.stringify(result)}`)
    const isEnvelope = enveloped.includes(status) && !isResource
    return { status, body: isEnvelope ? { ok: false, status, error, meta } : { error } }
  }
  const data = result["isError"] === true ? facts["svc/data"] : result["structuredContent"]
  const [block] = Array.isArray(result["content"]) ? result["content"] : []
  if (result["isError"] !== true && Object(block).text?.startsWith("{")) throw new Error("the data came twice")
  return { status, body: isResource ? { data } : { ok: true, status, data, meta } }
}

/** What no model may call. */
const passesOn = new Set<string>(commands.filter((command) => !isForModels(command)).map(({ id }) => id))

/** Over the agent protocol, from a port. */
export const overMcp = async (): Promise<Surface> => {
  const { close, identityOf, url } = await listening()
  const names = new Set<string>()
  const ask = async (key: string | undefined, method: string, params: Json) => {
    const response = await fetch(`${url}/mcp?toolset=all&results=structured`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` })
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
    })
    return { status: response.status, body: Object(await response.json()) }
  }
  const { body: list } = await ask(identityOf("owner")?.key, "tools/list", {})
  for (const { name } of list.result.tools) names.add(name)
  return {
    name: "MCP",
    close,
    run: async ({ as = "owner", command = "", compact, dryRun, idempotencyKey, input, resource }) => {
      const profile = { response_profile: compact === true ? "compact" : "full" }
      const options = { ...profile, ...(dryRun === undefined ? {} : { dry_run: dryRun }) }
      const tool = command.replaceAll(".", "_")
      if (resource === undefined && (!isObject(input) || passesOn.has(command))) return undefined
      const [name, args] =
        resource !== undefined
          ? ["resource_read", { uri: resource, ...profile }]
          : names.has(tool)
            ? [tool, { ...Object(input), ...options }]
            : ["command_run", { command_id: command, input, ...options }]
      const _meta = idempotencyKey === undefined ? {} : { "svc/idempotency_key": idempotencyKey }
      const { body, status } = await ask(identityOf(as)?.key, "tools/call", { name, arguments: args, _meta })
      if (status !== 200) return { status, body }
      if (!isObject(body.result)) throw new Error(JSON.stringify(body))
      return told(body.result, resource !== undefined)
    }
  }
}
