/**
 * What the official suite's fixtures ask their client: on the stream of a call, whose answer comes in a POST of its own, or as
 * the result of a call, which the client makes again with the answers and a signed state.
 */
import { createHmac, randomUUID } from "node:crypto"
import type { Answered, Notify, Params, RpcError } from "@svc/mcp"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"

type Call = (params: Params, notify: Notify | undefined) => Effect.Effect<Params, RpcError>

const said = (value: string): Params => ({ content: [{ type: "text", text: value }] })
const invalid = (message: string): RpcError => ({ code: -32602, message })

/** Questions that wait for their answer, in this process: the service's own are stored with the approval request. */
const waiting = new Map<unknown, Deferred.Deferred<unknown>>()

/** Takes the answers to these questions. */
export const suiteAnswers: Answered = (_, id, result) => {
  const question = waiting.get(id)
  return question === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(question, result))
}

/** Asks on the stream of a call; the result is the text of the answer. */
const asking =
  (method: string, params: (args: Params) => Params, textOf: (answer: Params) => string): Call =>
  ({ arguments: args }, notify) =>
    Effect.gen(function* () {
      if (notify === undefined) return yield* Effect.fail(invalid("The client cannot be asked: it accepts no events."))
      const id = randomUUID()
      const question = yield* Deferred.make<unknown>()
      waiting.set(id, question)
      yield* notify({ jsonrpc: "2.0", id, method, params: params(Predicate.isReadonlyObject(args) ? args : {}) })
      const answer = yield* Deferred.await(question)
      waiting.delete(id)
      return said(textOf(Predicate.isReadonlyObject(answer) ? answer : {}))
    })

const told = ({ action, content }: Params): string =>
  `Elicitation completed: action=${String(action)}, content=${JSON.stringify(content)}`

const form = (message: string, properties: Params, required: ReadonlyArray<string> = []): Params => ({
  message,
  requestedSchema: { type: "object", properties, required }
})

const named = (items: ReadonlyArray<string>, start: string) =>
  items.map((title, index) => ({ const: `${start}${index + 1}`, title }))

const options = ["option1", "option2", "option3"]
const text = { type: "string" }

/** Tools of revisions with a handshake. */
const onStream: Readonly<Record<string, Call>> = {
  test_elicitation: asking(
    "elicitation/create",
    ({ message }) => form(String(message), { username: text, email: text }, ["username", "email"]),
    ({ action, content }) => `User response: action=${String(action)}, content=${JSON.stringify(content)}`
  ),
  test_elicitation_sep1034_defaults: asking(
    "elicitation/create",
    () =>
      form("Check these.", {
        name: { type: "string", default: "John Doe" },
        age: { type: "integer", default: 30 },
        score: { type: "number", default: 95.5 },
        status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
        verified: { type: "boolean", default: true }
      }),
    told
  ),
  test_elicitation_sep1330_enums: asking(
    "elicitation/create",
    () =>
      form("Choose.", {
        untitledSingle: { type: "string", enum: options },
        titledSingle: { type: "string", oneOf: named(["First Option", "Second Option", "Third Option"], "value") },
        legacyEnum: {
          type: "string",
          enum: ["opt1", "opt2", "opt3"],
          enumNames: ["Option One", "Option Two", "Option Three"]
        },
        untitledMulti: { type: "array", items: { type: "string", enum: options } },
        titledMulti: {
          type: "array",
          items: { anyOf: named(["First Choice", "Second Choice", "Third Choice"], "value") }
        }
      }),
    told
  ),
  test_sampling: asking(
    "sampling/createMessage",
    ({ prompt }) => ({ messages: [{ role: "user", content: { type: "text", text: String(prompt) } }], maxTokens: 100 }),
    ({ content }) => `LLM response: ${String(Object(content).text)}`
  )
}

const secret = randomUUID()
const signed = (value: string): string => `${value}.${createHmac("sha256", secret).update(value).digest("base64url")}`

const elicit = (message: string, field: string, type = "string"): Params => ({
  method: "elicitation/create",
  params: form(message, { [field]: { type } }, [field])
})
const sample = (question: string): Params => ({
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: { type: "text", text: question } }], maxTokens: 100 }
})
const roots: Params = { method: "roots/list", params: {} }

/** One round: what is asked, and the state that the answers come with. */
interface Round {
  readonly asks: Readonly<Record<string, Params>>
  readonly state?: string
}

const capabilityOf: Readonly<Record<string, string>> = {
  "elicitation/create": "elicitation",
  "sampling/createMessage": "sampling",
  "roots/list": "roots"
}

/** Only what the client can answer. */
const answerable = (params: Params, { asks, state }: Round): Params => {
  const meta = Object(params["_meta"])["io.modelcontextprotocol/clientCapabilities"]
  const able = Object.entries(asks).filter(([, { method }]) =>
    Object.hasOwn(Object(meta), capabilityOf[String(method)] ?? "")
  )
  return {
    resultType: "input_required",
    inputRequests: Object.fromEntries(able),
    ...(state === undefined ? {} : { requestState: signed(state) })
  }
}

/** Asks in rounds. The answers to a round come with its state, or are asked for again. */
const inRounds =
  (rounds: ReadonlyArray<Round>, done: Params): Call =>
  (params) =>
    Effect.suspend(() => {
      const { inputResponses, requestState } = params
      const answers: Params = Predicate.isReadonlyObject(inputResponses) ? inputResponses : {}
      const isSigned = rounds.some(({ state }) => state !== undefined && signed(state) === requestState)
      if (requestState !== undefined && !isSigned) return Effect.fail(invalid("requestState was not signed here."))
      const answered = rounds.findIndex(
        ({ asks, state }) =>
          (state === undefined || signed(state) === requestState) &&
          Object.keys(asks).every((key) => Predicate.isReadonlyObject(answers[key]))
      )
      const next = rounds[answered + 1]
      return Effect.succeed(next === undefined ? done : answerable(params, next))
    })

const askName = elicit("What is your name?", "name")
const confirm = elicit("Please confirm", "ok", "boolean")

/** Tools of the revision without a handshake. */
const asResult: Readonly<Record<string, Call>> = {
  test_input_required_result_elicitation: inRounds([{ asks: { user_name: askName } }], said("Hello!")),
  test_input_required_result_sampling: inRounds(
    [{ asks: { capital_question: sample("What is the capital of France?") } }],
    said("The model answered.")
  ),
  test_input_required_result_list_roots: inRounds([{ asks: { client_roots: roots } }], said("The client has roots.")),
  test_input_required_result_request_state: inRounds([{ asks: { confirm }, state: "confirm" }], said("state-ok")),
  test_input_required_result_tampered_state: inRounds([{ asks: { confirm }, state: "tampered" }], said("state-ok")),
  test_input_required_result_capabilities: inRounds(
    [{ asks: { user_name: askName, greeting: sample("Greet somebody.") } }],
    said("Both answered.")
  ),
  test_input_required_result_multiple_inputs: inRounds(
    [{ asks: { user_name: askName, greeting: sample("Generate a greeting"), client_roots: roots }, state: "three" }],
    said("All answered.")
  ),
  test_input_required_result_multi_round: inRounds(
    [
      { asks: { step1: elicit("Step 1: What is your name?", "name") }, state: "1" },
      { asks: { step2: elicit("Step 2: What is your favorite color?", "color") }, state: "2" }
    ],
    said("Two rounds.")
  )
}

/** Every tool that asks. */
export const askingTools: Readonly<Record<string, Call>> = { ...onStream, ...asResult }

/** The prompt that asks. */
export const askingPrompt: Call = inRounds(
  [{ asks: { user_context: elicit("What context should the prompt use?", "context") } }],
  { messages: [{ role: "user", content: { type: "text", text: "In that context." } }] }
)
