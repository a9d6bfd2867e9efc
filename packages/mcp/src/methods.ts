/** The methods for tools, resources, prompts and completion, the same in every revision. */
import type { ResourceEntry } from "@svc/core"
import { Reference } from "effect/Context"
import * as Effect from "effect/Effect"
import { agentView } from "./agentView.ts"
import { takeAnswer, withDecisions } from "./elicitation/askUser.ts"
import { errorCodes, invalidParams, metaOf, objectOf, type Params, type RequestId, type RpcError } from "./JsonRpc.ts"
import { allPrompts, listedPrompt, promptResult } from "./prompts.ts"
import { declares, tasksExtension } from "./requestMeta.ts"
import { appContents, appResource } from "./reviewApp.ts"
import { skillAt, skillContents, skillEntry, skillResource, skillTexts } from "./skills/Skill.ts"
import type { Toolbox } from "./Toolbox.ts"
import { callAsTask, importTasks, taskMethod } from "./tasks/importTasks.ts"
import { type ResultForm, rpcError, visible, visibleText } from "./toolResult.ts"
import type { Toolset } from "./toolsets.ts"
import type { Context, Workspace } from "./Workspace.ts"

const missions = { command: "mission.list", list: "missions", field: "id" }

/** Sources of values by prompt argument or resource template: the list in a command's output, and the field of its items. */
const sources: Readonly<Record<string, typeof missions>> = {
  mission: missions,
  "svc://missions/{handle}": missions,
  "svc://agents/{handle}": { command: "agent.list", list: "agents", field: "handle" },
  "svc://offers/{id}": { command: "offer.list", list: "offers", field: "id" },
  "svc://linkedin/drafts/{id}": { command: "linkedin.draft.list", list: "drafts", field: "draft_id" },
  "svc://imports/{id}": { command: "import.list", list: "imports", field: "import_id" },
  "svc://prospects/{id}": { command: "lead.search", list: "leads", field: "lead_id" }
}

const maxValues = 100

/** The values that start with the argument, or whose objects have a name that does. */
const completion = Effect.fnUntraced(function* (workspace: Workspace, params: Params) {
  const reference = objectOf(params["ref"])
  const argument = objectOf(params["argument"])
  const key = reference["type"] === "ref/resource" ? reference["uri"] : argument["name"]
  const source = typeof key === "string" && Object.hasOwn(sources, key) ? sources[key] : undefined
  const prefix = typeof argument["value"] === "string" ? argument["value"].toLowerCase() : ""
  if (source === undefined) return { completion: { values: [], total: 0, hasMore: false } }
  const { command, field, list } = source
  const options = { response_profile: "compact" }
  const result = yield* workspace.run({ command, input: { limit: maxValues }, options })
  const items = result.ok ? objectOf(result.data)[list] : []
  const values = (Array.isArray(items) ? items : []).map(objectOf).flatMap(({ [field]: value, name }) => {
    const fits = [value, name].some((text) => typeof text === "string" && text.toLowerCase().startsWith(prefix))
    return typeof value === "string" && fits ? [visibleText(value)] : []
  })
  return { completion: { values, total: values.length, hasMore: false } }
})

/** Resources with a fixed URI, or those with a template, under the name that the protocol has for it. */
const listed = (entries: ReadonlyArray<ResourceEntry>, key: "uri" | "uriTemplate"): ReadonlyArray<Params> =>
  entries
    .filter(({ uri }) => uri.includes("{") === (key === "uriTemplate"))
    .map(({ description, mimeType, name, title, uri }) => ({ [key]: uri, name, title, description, mimeType }))

const codeOf = (status: number, notFound: number): number => {
  if (status === 404) return notFound
  if (status === 400) return errorCodes.invalidParams
  return status >= 500 ? errorCodes.internal : errorCodes.refused
}

/** Reads a resource. `notFound` is the revision's error code for a missing one. */
const resourceResult = Effect.fnUntraced(function* (
  workspace: Workspace,
  uri: string,
  params: Params,
  notFound: number
) {
  const profile = metaOf(params)["svc/response_profile"]
  const result = yield* workspace.read({ uri, profile: typeof profile === "string" ? profile : undefined })
  if (!result.ok) {
    const error = rpcError(result, codeOf(result.status, notFound))
    return yield* Effect.fail({ ...error, data: { uri: visibleText(uri.slice(0, 200)), ...error.data } })
  }
  const { payload } = objectOf(objectOf(result.data)["resource"])
  const shown = profile === "full" ? payload : agentView(payload)
  const text = JSON.stringify(visible(shown ?? {}))
  return { contents: [{ uri, mimeType: "application/json", text, _meta: { "svc/untrusted": ["text"] } }] }
})

/** What replies are made of. Parts that take time to load are effects. */
export interface Parts {
  readonly version: string
  readonly toolbox: Effect.Effect<Toolbox>
  readonly resources: Effect.Effect<ReadonlyArray<ResourceEntry>>
  /** The tools that its toolbox has; default `default`. */
  readonly toolset?: Toolset
  /** The form of results; default `text`. */
  readonly form?: ResultForm
  /** The app that shows a draft, an HTML document. */
  readonly reviewApp: Effect.Effect<string>
  /** Default {@link serviceMethods}. */
  readonly methods?: Methods
  /** Takes the response to a request of this server. Default {@link takeAnswer}. */
  readonly answered?: Answered
}

/** A result, or the error of the request. */
export type Outcome = Effect.Effect<Params, RpcError>

/** A request. `notFound` is the revision's error code for a missing resource. */
interface MethodCall {
  readonly parts: Parts
  readonly context: Context
  readonly method: string
  readonly params: Params
  readonly notFound: number
}

/** Handles a request; undefined if the method is unknown. */
export type Methods = (call: MethodCall) => Outcome | undefined

const named = (params: Params, name: string): Effect.Effect<string, RpcError> => {
  const value = params[name]
  return typeof value === "string"
    ? Effect.succeed(value)
    : Effect.fail(invalidParams(`params.${name} must be a string.`))
}

/** Lists have one page, so any cursor is invalid. */
const onePage = <A>(params: Params, list: () => A): Effect.Effect<A, RpcError> =>
  params["cursor"] === undefined
    ? Effect.sync(list)
    : Effect.fail(invalidParams("This cursor does not belong to this list. Start again without a cursor."))

/** The methods of this service. */
export const serviceMethods: Methods = ({ context, method, notFound, params, parts }) => {
  const { workspace } = context
  const { resources, reviewApp, toolbox } = parts
  /** Those whose commands the toolbox can run. */
  const offered = <A extends { readonly needs: ReadonlyArray<string> }>(all: ReadonlyArray<A>) =>
    Effect.map(toolbox, ({ reaches }) => all.filter(({ needs }) => needs.every(reaches)))
  const skills = offered(skillTexts)
  switch (method) {
    case "tools/list":
      return Effect.flatMap(toolbox, ({ definitions }) => onePage(params, () => ({ tools: definitions })))
    case "tools/call":
      return Effect.gen(function* () {
        const name = yield* named(params, "name")
        const { find, nearest } = yield* toolbox
        const tool = find(name)
        if (tool === undefined) {
          const guess = nearest(name)
          const others = find("commands_search") === undefined ? "" : ", or search with commands_search"
          const hint = guess === undefined ? `Read tools/list${others}.` : `Did you mean ${guess}?`
          return yield* Effect.fail(invalidParams(`Unknown tool: ${visibleText(name.slice(0, 64))}. ${hint}`))
        }
        return yield* withDecisions(context, params, (asking) =>
          declares(params, tasksExtension)
            ? callAsTask(asking, (watched) => tool.call(params, watched))
            : tool.call(params, asking)
        )
      })
    case "resources/list":
      return Effect.flatMap(Effect.zip(resources, skills), ([entries, texts]) =>
        onePage(params, () => ({ resources: [...listed(entries, "uri"), appResource, ...texts.map(skillResource)] }))
      )
    case "resources/templates/list":
      return Effect.flatMap(resources, (entries) =>
        onePage(params, () => ({ resourceTemplates: listed(entries, "uriTemplate") }))
      )
    case "resources/read":
      return Effect.gen(function* () {
        const uri = yield* named(params, "uri")
        if (uri === appResource.uri) return appContents(yield* reviewApp, yield* workspace.reviewPage)
        const skill = skillAt(yield* skills, uri)
        return skill === undefined ? yield* resourceResult(workspace, uri, params, notFound) : skillContents(skill)
      })
    case "skills/list":
      return Effect.flatMap(skills, (texts) => onePage(params, () => ({ skills: texts.map(skillEntry) })))
    case "skills/get":
      return Effect.flatMap(Effect.zip(named(params, "uri"), skills), ([uri, texts]) => {
        const skill = skillAt(texts, uri)
        return skill === undefined
          ? Effect.fail(invalidParams("Unknown skill. Read skills/list."))
          : Effect.succeed({ skill: skillEntry(skill) })
      })
    case "prompts/list":
      return Effect.flatMap(offered(allPrompts), (prompts) =>
        onePage(params, () => ({ prompts: prompts.map(listedPrompt) }))
      )
    case "prompts/get":
      return Effect.flatMap(Effect.zip(named(params, "name"), offered(allPrompts)), ([name, prompts]) => {
        const prompt = prompts.find((candidate) => candidate.name === name)
        if (prompt === undefined) {
          const known = prompts.map((candidate) => candidate.name).join(", ")
          const message = `Unknown prompt: ${visibleText(name.slice(0, 64))}. Available prompts: ${known}.`
          return Effect.fail(invalidParams(message))
        }
        const result = promptResult(prompt, objectOf(params["arguments"]))
        return typeof result === "string" ? Effect.fail(invalidParams(result)) : Effect.succeed(result)
      })
    case "completion/complete":
      return completion(workspace, params)
    default:
      return taskMethod(importTasks(workspace, parts.form ?? "text"), method, params)
  }
}

/** Takes the response to a request of this server; fails if it is not one that is expected. */
export type Answered = (workspace: Workspace, id: RequestId, result: unknown) => Effect.Effect<void, RpcError>

/** What takes responses; a host program with methods of its own that ask may replace it. */
export class ServedAnswers extends Reference<Answered>("@svc/mcp/ServedAnswers", {
  defaultValue: () => takeAnswer
}) {}

/** The methods of a server; a host program may replace them. */
export class ServedMethods extends Reference<Methods>("@svc/mcp/ServedMethods", {
  defaultValue: () => serviceMethods
}) {}
