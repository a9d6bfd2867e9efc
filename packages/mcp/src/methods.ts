/** The methods for tools, resources, prompts and completion, the same in every revision. */

import type { ResourceEntry as Entry } from "@svc/core"
import { Reference } from "effect/Context"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { agentView } from "./agentView.ts"
import type { Context } from "./Context.ts"
import { takeAnswer, withDecisions } from "./elicitation/askUser.ts"
import { declares, tasksExtension } from "./extensions.ts"
import { errorCodes, metaOf, type Params, type RequestId, type RpcError } from "./JsonRpc.ts"
import { listedPrompt, promptResult, promptsFor } from "./prompts.ts"
import { appContents, appResource, isApp } from "./reviewApp.ts"
import { skillContents, skillEntries, skillEntry, skillResources, skillsFor } from "./skills/Skill.ts"
import type { Toolbox } from "./Toolbox.ts"
import { callAsTask, importTasks, taskMethod } from "./tasks/importTasks.ts"
import { type ResultForm, visible, visibleText } from "./toolResult.ts"
import type { Toolset } from "./toolsets.ts"
import type { Workspace } from "./Workspace.ts"

interface Source {
  readonly command: string
  /** The list in the command's output, and the field of its items. */
  readonly list: string
  readonly field: string
}

const missions: Source = { command: "mission.list", list: "missions", field: "id" }

/** Sources by prompt argument or resource template. */
const sources: Readonly<Record<string, Source>> = {
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
const completion = (workspace: Workspace, params: Params): Effect.Effect<Params, RpcError> => {
  const reference = Predicate.isReadonlyObject(params["ref"]) ? params["ref"] : {}
  const argument = Predicate.isReadonlyObject(params["argument"]) ? params["argument"] : {}
  const key = reference["type"] === "ref/resource" ? reference["uri"] : argument["name"]
  const source = typeof key === "string" && Object.hasOwn(sources, key) ? sources[key] : undefined
  const prefix = typeof argument["value"] === "string" ? argument["value"].toLowerCase() : ""
  if (source === undefined) return Effect.succeed({ completion: { values: [], total: 0, hasMore: false } })
  const { command, field, list } = source
  return Effect.map(
    workspace.run({ command, input: { limit: maxValues }, options: { response_profile: "compact" } }),
    (result) => {
      const items: unknown = result.ok && Predicate.isReadonlyObject(result.data) ? result.data[list] : []
      const all = (Array.isArray(items) ? items : []).flatMap((item) => {
        const value: unknown = Predicate.isReadonlyObject(item) ? item[field] : undefined
        const names = Predicate.isReadonlyObject(item) ? [value, item["name"]] : []
        const fits = names.some((name) => typeof name === "string" && name.toLowerCase().startsWith(prefix))
        return typeof value === "string" && fits ? [visibleText(value)] : []
      })
      const values = all.slice(0, maxValues)
      return { completion: { values, total: values.length, hasMore: false } }
    }
  )
}

type ResourceEntry = Entry

const described = ({ description, mimeType, name, title }: Entry): Params => ({ name, title, description, mimeType })

/** Resources with a fixed URI. */
const listedResources = (entries: ReadonlyArray<Entry>): ReadonlyArray<Params> =>
  entries.filter(({ uri }) => !uri.includes("{")).map((entry) => ({ uri: entry.uri, ...described(entry) }))

/** Resources with a URI template. */
const listedTemplates = (entries: ReadonlyArray<Entry>): ReadonlyArray<Params> =>
  entries.filter(({ uri }) => uri.includes("{")).map((entry) => ({ uriTemplate: entry.uri, ...described(entry) }))

const codeOf = (status: number, notFound: number): number => {
  if (status === 404) return notFound
  if (status === 400) return errorCodes.invalidParams
  return status >= 500 ? errorCodes.internal : errorCodes.refused
}

/** Reads a resource. `notFound` is the revision's error code for a missing one. */
const resourceResult = (
  workspace: Workspace,
  uri: string,
  params: Params,
  notFound: number
): Effect.Effect<Params, RpcError> => {
  const meta = metaOf(params)
  const profile = meta["svc/response_profile"]
  return Effect.flatMap(
    workspace.read({ uri, profile: typeof profile === "string" ? profile : undefined }),
    (result) => {
      if (!result.ok) {
        const { code, message } = result.error
        const error = { code: codeOf(result.status, notFound), message: visibleText(`${code}: ${message}`) }
        return Effect.fail({ ...error, data: { uri: visibleText(uri.slice(0, 200)), code, status: result.status } })
      }
      const resource = Predicate.isReadonlyObject(result.data) ? result.data["resource"] : undefined
      const payload = Predicate.isReadonlyObject(resource) ? resource["payload"] : undefined
      const shown = profile === "full" ? payload : agentView(payload)
      const text = JSON.stringify(visible(shown ?? {}))
      return Effect.succeed({
        contents: [{ uri, mimeType: "application/json", text, _meta: { "svc/untrusted": true } }]
      })
    }
  )
}

/** What replies are made of. Parts that take time to load are effects. */
export interface Parts {
  readonly version: string
  readonly toolbox: Effect.Effect<Toolbox>
  readonly resources: Effect.Effect<ReadonlyArray<ResourceEntry>>
  readonly callTool: Effect.Effect<typeof import("./Toolbox.ts").callTool>
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

const invalid = (message: string): RpcError => ({ code: errorCodes.invalidParams, message })

const named = (params: Params, name: string): Effect.Effect<string, RpcError> => {
  const value = params[name]
  return typeof value === "string" ? Effect.succeed(value) : Effect.fail(invalid(`params.${name} must be a string.`))
}

/** Lists have one page, so any cursor is invalid. */
const onePage = <A>(params: Params, list: () => A): Effect.Effect<A, RpcError> =>
  params["cursor"] === undefined
    ? Effect.sync(list)
    : Effect.fail(invalid("This cursor does not belong to this list. Start again without a cursor."))

/** The methods of this service. */
export const serviceMethods: Methods = ({ context, method, notFound, params, parts }) => {
  const { workspace } = context
  const { callTool, resources, reviewApp, toolbox, toolset = "default" } = parts
  const skills = Effect.map(toolbox, (tools) => skillsFor(toolset, tools))
  switch (method) {
    case "tools/list":
      return Effect.flatMap(toolbox, ({ definitions }) => onePage(params, () => ({ tools: definitions })))
    case "tools/call":
      return Effect.gen(function* () {
        const name = yield* named(params, "name")
        const { find, nearest } = yield* toolbox
        const tool = find(name)
        if (tool !== undefined) {
          const call = yield* callTool
          return yield* withDecisions(context, params, (asking) =>
            declares(params, tasksExtension)
              ? callAsTask(asking, (watched) => call(tool, params, watched))
              : call(tool, params, asking)
          )
        }
        const guess = nearest(name)
        const others = find("commands_search") === undefined ? "" : ", or search with commands_search"
        const hint = guess === undefined ? `Read tools/list${others}.` : `Did you mean ${guess}?`
        return yield* Effect.fail(invalid(`Unknown tool: ${visibleText(name.slice(0, 64))}. ${hint}`))
      })
    case "resources/list":
      return Effect.flatMap(Effect.zip(resources, skills), ([entries, offered]) =>
        onePage(params, () => ({ resources: [...listedResources(entries), appResource, ...skillResources(offered)] }))
      )
    case "resources/templates/list":
      return Effect.flatMap(resources, (entries) =>
        onePage(params, () => ({ resourceTemplates: listedTemplates(entries) }))
      )
    case "resources/read":
      return Effect.flatMap(named(params, "uri"), (uri) => {
        if (isApp(uri)) return Effect.zipWith(reviewApp, workspace.reviewPage, appContents)
        return Effect.flatMap(skills, (offered) => {
          const skill = skillContents(offered, uri)
          return skill === undefined ? resourceResult(workspace, uri, params, notFound) : Effect.succeed(skill)
        })
      })
    case "skills/list":
      return Effect.flatMap(skills, (offered) => onePage(params, () => ({ skills: skillEntries(offered) })))
    case "skills/get":
      return Effect.flatMap(Effect.zip(named(params, "uri"), skills), ([uri, offered]) => {
        const skill = skillEntry(offered, uri)
        return skill === undefined
          ? Effect.fail(invalid("Unknown skill. Read skills/list."))
          : Effect.succeed({ skill })
      })
    case "prompts/list":
      return onePage(params, () => ({ prompts: promptsFor(toolset).map(listedPrompt) }))
    case "prompts/get":
      return Effect.flatMap(named(params, "name"), (name) => {
        const prompts = promptsFor(toolset)
        const prompt = prompts.find((candidate) => candidate.name === name)
        if (prompt === undefined) {
          const known = prompts.map((candidate) => candidate.name).join(", ")
          return Effect.fail(invalid(`Unknown prompt: ${visibleText(name.slice(0, 64))}. Available prompts: ${known}.`))
        }
        const given = params["arguments"]
        const result = promptResult(prompt, typeof given === "object" && given !== null ? { ...given } : {})
        return typeof result === "string" ? Effect.fail(invalid(result)) : Effect.succeed(result)
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
