/** The tools, prompts and resources that the official conformance suite calls by name, beside the service's own. */
import {
  type Methods,
  type Notify,
  type Params,
  progressNotification,
  type RpcError,
  serviceMethods,
  taskMethod
} from "@svc/mcp"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { askingPrompt, askingTools } from "./suiteQuestions.ts"
import { callTaskTool, suiteTasks, taskTools } from "./suiteTasks.ts"

/** A picture of one red point, and a sound of no length. */
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
const wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="

const text = (value: string): Params => ({ type: "text", text: value })
const image = { type: "image", data: png, mimeType: "image/png" }
const audio = { type: "audio", data: wav, mimeType: "audio/wav" }
const resource = (uri: string, mimeType: string, value: string): Params => ({
  type: "resource",
  resource: { uri, mimeType, text: value }
})

const metaOf = ({ _meta: meta }: Params): Params => (Predicate.isReadonlyObject(meta) ? meta : {})

const pause = Effect.sleep("50 millis")

const logged = (notify: Notify | undefined) =>
  Effect.gen(function* () {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      yield* notify?.({ jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data } }) ??
        Effect.void
      yield* pause
    }
    return { content: [text("Logged three times.")] }
  })

const progressed = (params: Params, notify: Notify | undefined) =>
  Effect.gen(function* () {
    const token = metaOf(params)["progressToken"]
    for (const progress of [0, 50, 100]) {
      if (notify !== undefined && (typeof token === "string" || typeof token === "number")) {
        yield* notify(progressNotification(token, progress, { total: 100 }))
      }
      yield* pause
    }
    return { content: [text("Done in three steps.")] }
  })

const mixed = [
  text("Multiple content types test:"),
  image,
  resource("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')
]

type Call = (params: Params, notify: Notify | undefined) => Effect.Effect<Params, RpcError>

const protocolVersion = "io.modelcontextprotocol/protocolVersion"
const logLevel = "io.modelcontextprotocol/logLevel"

/** Logs only for requests that set a level. */
const loggedIfAsked = (params: Params, notify: Notify | undefined) =>
  logged(metaOf(params)[logLevel] === undefined ? undefined : notify)

/** Needs a client that lets its model be asked. */
const needingSampling = (params: Params): Effect.Effect<Params, RpcError> => {
  const declared = metaOf(params)["io.modelcontextprotocol/clientCapabilities"]
  if (Predicate.isReadonlyObject(declared) && declared["sampling"] !== undefined) {
    return Effect.succeed({ content: [text("The client has a model.")] })
  }
  const message = "The client must declare the capability sampling."
  return Effect.fail({ code: -32021, message, data: { requiredCapabilities: { sampling: {} } } })
}

const answering =
  (result: Params): Call =>
  () =>
    Effect.succeed(result)

const tools: Readonly<Record<string, Call>> = {
  test_simple_text: answering({ content: [text("This is a simple text response for testing.")] }),
  test_image_content: answering({ content: [image] }),
  test_audio_content: answering({ content: [audio] }),
  test_embedded_resource: answering({
    content: [resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")]
  }),
  test_multiple_content_types: answering({ content: mixed }),
  test_error_handling: answering({
    content: [text("This tool intentionally returns an error for testing")],
    isError: true
  }),
  test_tool_with_logging: (_, notify) => logged(notify),
  test_logging_tool: loggedIfAsked,
  test_tool_with_progress: progressed,
  test_missing_capability: needingSampling,
  test_streaming_elicitation: answering({ content: [text("Done without a question.")] }),
  ...askingTools
}

const schema2020 = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "address",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } }
    }
  },
  properties: { name: { type: "string" }, address: { $ref: "#/$defs/address" } },
  allOf: [{ anyOf: [{ required: ["name"] }, { required: ["address"] }] }],
  if: { required: ["address"] },
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema
  then: { required: ["name"] },
  else: {},
  additionalProperties: false
}

const described = (name: string, inputSchema: Params): Params => ({
  name,
  description: "For the conformance suite.",
  inputSchema
})

const user = (content: Params): Params => ({ role: "user", content })

const prompts: Readonly<Record<string, (args: Params) => ReadonlyArray<Params>>> = {
  test_simple_prompt: () => [user(text("This is a simple prompt for testing."))],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    user(text(`Prompt with arguments: arg1='${String(arg1)}', arg2='${String(arg2)}'`))
  ],
  test_prompt_with_embedded_resource: ({ resourceUri }) => [
    user(resource(String(resourceUri), "text/plain", "Embedded resource content for testing.")),
    user(text("Please process the embedded resource above."))
  ],
  test_prompt_with_image: () => [user(image), user(text("Please analyze the image above."))]
}

const promptThatAsks = "test_input_required_result_prompt"

const promptArguments: Readonly<Record<string, ReadonlyArray<string>>> = {
  test_prompt_with_arguments: ["arg1", "arg2"],
  test_prompt_with_embedded_resource: ["resourceUri"]
}

const contentsOf = (uri: string): Params | undefined => {
  if (uri === "test://static-text") {
    return { uri, mimeType: "text/plain", text: "This is the content of the static text resource." }
  }
  if (uri === "test://static-binary") return { uri, mimeType: "image/png", blob: png }
  const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1]
  if (id === undefined) return undefined
  const data = { id, templateTest: true, data: `Data for ID: ${id}` }
  return { uri, mimeType: "application/json", text: JSON.stringify(data) }
}

const own = <A>(record: Readonly<Record<string, A>>, name: unknown): A | undefined =>
  typeof name === "string" && Object.hasOwn(record, name) ? record[name] : undefined

/** What is added to a list, by the list's method: the name of the list in its result, and its items. */
const lists: Readonly<Record<string, readonly [string, ReadonlyArray<Params>]>> = {
  "tools/list": [
    "tools",
    [
      ...[...Object.keys(tools), ...taskTools].map((name) => described(name, { type: "object", properties: {} })),
      described("json_schema_2020_12_tool", schema2020)
    ]
  ],
  "resources/list": [
    "resources",
    [
      { uri: "test://static-text", name: "static-text", mimeType: "text/plain" },
      { uri: "test://static-binary", name: "static-binary", mimeType: "image/png" }
    ]
  ],
  "resources/templates/list": ["resourceTemplates", [{ uriTemplate: "test://template/{id}/data", name: "template" }]],
  "prompts/list": [
    "prompts",
    [...Object.keys(prompts), promptThatAsks].map((name) => ({
      name,
      description: "For the conformance suite.",
      arguments: (promptArguments[name] ?? []).map((argument) => ({ name: argument, required: true }))
    }))
  ]
}

const fixture = (
  method: string,
  params: Params,
  notify: Notify | undefined
): Effect.Effect<Params, RpcError> | undefined => {
  const { arguments: args, name, uri } = params
  const task = taskMethod(suiteTasks, method, params)
  if (task !== undefined) return task
  if (method === "tools/call") return own(tools, name)?.(params, notify) ?? callTaskTool(name, params)
  if (method === "prompts/get") {
    if (name === promptThatAsks) return askingPrompt(params, notify)
    const messages = own(prompts, name)?.(Predicate.isReadonlyObject(args) ? args : {})
    return messages && Effect.succeed({ messages })
  }
  if (method === "resources/read") {
    const contents = contentsOf(String(uri))
    return contents && Effect.succeed({ contents: [contents] })
  }
  // Accepted without any notification: nothing here changes. The revision without a handshake does not have them.
  const subscribes = method === "resources/subscribe" || method === "resources/unsubscribe"
  return subscribes && metaOf(params)[protocolVersion] === undefined ? Effect.succeed({}) : undefined
}

/** The service's methods, with the suite's names first and its items last. */
export const suiteMethods: Methods = (call) => {
  const { context, method, params } = call
  const added = fixture(method, params, context.notify)
  if (added !== undefined) return added
  const more = Object.hasOwn(lists, method) ? lists[method] : undefined
  const plain = serviceMethods(call)
  if (more === undefined || plain === undefined) return plain
  const [name, items] = more
  return Effect.map(plain, (result) => {
    const listed = result[name]
    return { ...result, [name]: [...(Array.isArray(listed) ? listed : []), ...items] }
  })
}
