import { objectOf, readMessage } from "./JsonRpc.ts"
import { commandsOfPrompt } from "./prompts.ts"
import { commandIdOf } from "./Tool.ts"

/** The id of the command that a message calls, as a tool or through `command_run`; undefined for other messages. */
export const commandOfCall = (body: unknown): string | undefined => {
  const message = readMessage(body)
  if (message._tag !== "Request" || message.method !== "tools/call") return undefined
  const { arguments: args, name } = message.params
  const asked = name === "command_run" ? objectOf(args)["command_id"] : name
  return typeof asked === "string" ? commandIdOf(asked) : undefined
}

/** What a message uses: commands, and the URI of a resource. */
interface Used {
  readonly commands: ReadonlyArray<string>
  readonly uri?: string
}

const uriIn = (params: unknown): Used => {
  const { uri } = objectOf(params)
  return typeof uri === "string" ? { commands: [], uri } : { commands: [] }
}

/** What a message calls, reads or, as a prompt, tells a model to call. */
export const usedBy = (body: unknown): Used => {
  const message = readMessage(body)
  if (message._tag !== "Request") return { commands: [] }
  const { method, params } = message
  if (method === "resources/read") return uriIn(params)
  if (method === "prompts/get") return { commands: commandsOfPrompt(params["name"]) }
  if (method === "tools/call" && params["name"] === "resource_read") return uriIn(params["arguments"])
  const command = commandOfCall(body)
  return { commands: command === undefined ? [] : [command] }
}
