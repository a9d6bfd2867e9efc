/**
 * The protocol: from a message to its reply, for one caller, with nothing remembered between messages.
 *
 * Written here, on JSON-RPC alone, and not with the server that comes with Effect. That one keeps what `initialize` agreed on
 * in the memory of a process under a session id, which several replicas do not share and which must be no authority here;
 * registers its tools when it is built, while a toolset is chosen by the caller; and loads its RPC runtime before it can
 * answer, while a first answer has to be out before the catalogue is even read. The protocol is small, and the official
 * clients and conformance suite check it.
 *
 * Source: issue "MCP"; contract 1.7, 7 "MCP".
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import { completion } from "./completion.ts"
import type { Fixtures } from "./Fixtures.ts"
import { instructions } from "./instructions.ts"
import { errorCodes, type Message, type Params, type Reply, type RpcError, refused, succeeded } from "./JsonRpc.ts"
import type { Notify } from "./progress.ts"
import { listedPrompt, promptResult, prompts } from "./prompts.ts"
import { negotiated, revisions, versionClaim } from "./Revision.ts"
import { listedResources, listedTemplates, type ResourceEntry, resourceResult } from "./resources.ts"
import type { Toolbox } from "./Toolbox.ts"
import { visibleText } from "./visibleText.ts"
import type { Workspace } from "./Workspace.ts"

/** What replies are made of. Parts that take time to load are asked for when a message needs them. */
export interface Parts {
  readonly version: string
  readonly toolbox: Effect.Effect<Toolbox>
  readonly resources: Effect.Effect<ReadonlyArray<ResourceEntry>>
  readonly callTool: Effect.Effect<typeof import("./Toolbox.ts").callTool>
  readonly fixtures?: Fixtures | undefined
}

/** Who asks, and where what is said before the reply goes; nowhere when that is not given. */
export interface Context {
  readonly workspace: Workspace
  readonly notify?: Notify
}

type Outcome = Effect.Effect<Params, RpcError>

const invalid = (message: string): RpcError => ({ code: errorCodes.invalidParams, message })

const named = (params: Params, name: string): Effect.Effect<string, RpcError> => {
  const value = params[name]
  return typeof value === "string"
    ? Effect.succeed(value)
    : Effect.fail(invalid(`params.${name} must be a text. Send it.`))
}

/** Lists have one page: a cursor is none of ours. */
const onePage = <A>(params: Params, list: () => A): Effect.Effect<A, RpcError> =>
  params["cursor"] === undefined
    ? Effect.sync(list)
    : Effect.fail(invalid("The cursor is none that this list gave out. Start again without a cursor."))

const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} }

const serverInfo = (version: string): Params => ({ name: "svc", title: "svc outreach workspace", version })

/** How long a client may keep a list, in milliseconds. What is listed changes with the version of the service only. */
const listLifetime = 300_000

/** Results that clients of the stateless revision keep, and for how long. */
const lifetimes: Readonly<Record<string, number>> = {
  "server/discover": listLifetime,
  "tools/list": listLifetime,
  "prompts/list": listLifetime,
  "resources/list": listLifetime,
  "resources/templates/list": listLifetime,
  "resources/read": 0
}

const common = (
  { callTool, resources, toolbox }: Parts,
  { workspace }: Context,
  method: string,
  params: Params,
  notFound: number
): Outcome | undefined => {
  switch (method) {
    case "tools/list":
      return Effect.flatMap(toolbox, ({ definitions }) => onePage(params, () => ({ tools: definitions })))
    case "tools/call":
      return Effect.gen(function* () {
        const name = yield* named(params, "name")
        const { find, nearest } = yield* toolbox
        const tool = find(name)
        if (tool !== undefined) return yield* (yield* callTool)(tool, params, workspace)
        const guess = nearest(name)
        const hint = guess === undefined ? "Read tools/list, or search with commands_search." : `Did you mean ${guess}?`
        return yield* Effect.fail(invalid(`Unknown tool: ${visibleText(name.slice(0, 64))}. ${hint}`))
      })
    case "resources/list":
      return Effect.flatMap(resources, (entries) => onePage(params, () => ({ resources: listedResources(entries) })))
    case "resources/templates/list":
      return Effect.flatMap(resources, (entries) =>
        onePage(params, () => ({ resourceTemplates: listedTemplates(entries) }))
      )
    case "resources/read":
      return Effect.flatMap(named(params, "uri"), (uri) => resourceResult(workspace, uri, params, notFound))
    case "prompts/list":
      return onePage(params, () => ({ prompts: prompts.map(listedPrompt) }))
    case "prompts/get":
      return Effect.flatMap(named(params, "name"), (name) => {
        const prompt = prompts.find((candidate) => candidate.name === name)
        if (prompt === undefined) {
          const known = prompts.map((candidate) => candidate.name).join(", ")
          return Effect.fail(invalid(`Unknown prompt: ${visibleText(name.slice(0, 64))}. There are ${known}.`))
        }
        const given = params["arguments"]
        const result = promptResult(prompt, typeof given === "object" && given !== null ? { ...given } : {})
        return typeof result === "string" ? Effect.fail(invalid(result)) : Effect.succeed(result)
      })
    case "completion/complete":
      return completion(workspace, params)
    default:
      return undefined
  }
}

/** Methods of the revisions that begin with `initialize`, beside the common ones. */
const ofInitialized = (version: string, method: string, params: Params): Outcome | undefined => {
  switch (method) {
    case "initialize":
      return Effect.succeed({
        protocolVersion: negotiated(params["protocolVersion"]),
        // The level of logging is taken and nothing is logged to clients: what goes wrong is in the answers.
        capabilities: { ...capabilities, logging: {} },
        serverInfo: serverInfo(version),
        instructions
      })
    case "ping":
    case "logging/setLevel":
      return Effect.succeed({})
    default:
      return undefined
  }
}

const discovered = (): Outcome => Effect.succeed({ supportedVersions: revisions, capabilities, instructions })

/** A result as the stateless revision has it: complete, with who answers and how long it may be kept. */
const completed = (version: string, method: string, result: Params): Params => {
  const lifetime = lifetimes[method]
  const meta = result["_meta"]
  return {
    ...result,
    resultType: "complete",
    ...(lifetime === undefined ? {} : { ttlMs: lifetime, cacheScope: "private" }),
    _meta: {
      ...(typeof meta === "object" && meta !== null ? meta : {}),
      "io.modelcontextprotocol/serverInfo": serverInfo(version)
    }
  }
}

const unknownMethod = (method: string): RpcError => ({
  code: errorCodes.methodNotFound,
  message: `Unknown method: ${visibleText(method.slice(0, 64))}.`
})

/** The common methods, with the fixtures' names before the service's and their items after them. */
const withFixtures = (
  parts: Parts,
  context: Context,
  method: string,
  params: Params,
  notFound: number
): Outcome | undefined => {
  const outcome = parts.fixtures?.answer(method, params, context.notify)
  if (outcome !== undefined) return outcome
  const more = parts.fixtures?.lists[method]
  const plain = common(parts, context, method, params, notFound)
  if (more === undefined || plain === undefined) return plain
  const [name, items] = more
  return Effect.map(plain, (result) => {
    const listed = result[name]
    return { ...result, [name]: [...(Array.isArray(listed) ? listed : []), ...items] }
  })
}

const resultOf = (parts: Parts, context: Context, method: string, params: Params): Outcome => {
  const { error, isStateless } = versionClaim(method, params)
  if (error !== undefined) return Effect.fail(error)
  if (!isStateless) {
    const outcome =
      ofInitialized(parts.version, method, params) ??
      withFixtures(parts, context, method, params, errorCodes.resourceNotFound)
    return outcome ?? Effect.fail(unknownMethod(method))
  }
  const outcome =
    method === "server/discover" ? discovered() : withFixtures(parts, context, method, params, errorCodes.invalidParams)
  if (outcome === undefined) return Effect.fail(unknownMethod(method))
  return Effect.map(outcome, (result) => completed(parts.version, method, result))
}

/** The reply to a message; undefined for what has none. It never fails: what goes wrong is a reply too. */
export const replyTo = (parts: Parts, context: Context, message: Message): Effect.Effect<Reply | undefined> => {
  if (message._tag === "Notification" || message._tag === "Response") return Effect.succeed(undefined)
  if (message._tag === "Invalid") {
    const error = { code: errorCodes.invalidRequest, message: "Not a JSON-RPC 2.0 request. Send one object at a time." }
    return Effect.succeed(refused(message.id, error))
  }
  const { id, method, params } = message
  return resultOf(parts, context, method, params).pipe(
    Effect.match({ onSuccess: (result) => succeeded(id, result), onFailure: (error) => refused(id, error) }),
    Effect.catchCause((cause) => {
      if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
      const error = {
        code: errorCodes.internal,
        message: "Something failed that should not have. See the server's log."
      }
      return Effect.as(Effect.logError("a request died", { method }, cause), refused(id, error))
    })
  )
}
