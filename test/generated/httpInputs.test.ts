/** Dozens of bodies for every command and REST endpoint, as bytes over HTTP: half of them are no JSON, or no JSON to keep. */
import { afterAll, afterEach, assert, beforeAll, beforeEach, describe, it, vi } from "@effect/vitest"
import * as fc from "fast-check"
import { commands } from "#core/commands.ts"
import { describeWithSchemas } from "#core/kernel/command/Catalog.ts"
import type { FailureEnvelope } from "#core/kernel/command/Envelope.ts"
import { restBindings } from "#http/restBindings.ts"
import { effort, some } from "../support/effort.ts"
import { type MemoryService, memoryService } from "../support/memoryService.ts"
import { shapeOf } from "../support/rest.ts"
import { type RestRequest, restRequest } from "../support/restRequest.ts"
import { sampleValues } from "../support/sampleNames.ts"
import { inputOf, isNode } from "../support/schemaArbitrary.ts"
import { schemaErrors } from "../support/schemaValidator.ts"
import { stopClock } from "../support/stoppedClock.ts"
import { refusalProblem } from "./refusalProblem.ts"

const seed = 4_700
const generatedOfEach = effort(10)

/** Bodies that are refused by every endpoint that reads one. */
const malformed: ReadonlyArray<string | Uint8Array> = [
  "",
  " ",
  "{",
  '{"name":',
  '{"name":"x"}{}',
  '{"name":"x",}',
  "{'name':'x'}",
  '{"a":NaN}',
  '{"a":-Infinity}',
  '{"a":01}',
  '{"a":12345678901234567890}',
  '{"name":"\\ud800"}',
  '{"name":"a\\u0000b"}',
  '{"a":1e999}',
  "null",
  "true",
  '"text"',
  "[]",
  "[".repeat(100_000),
  `${'{"a":'.repeat(40)}1${"}".repeat(40)}`,
  `${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`,
  new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  new Uint8Array([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00])
]

/** Statuses of the command endpoint whose body is an envelope. */
const enveloped = new Set([200, 400, 404, 409, 502])

const bytesOf = (body: string | Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(body))

/** JSON text of what may hold values that JSON has not: NaN goes out as null, as clients do. */
const jsonOf = (value: unknown): string | undefined => {
  try {
    return JSON.stringify(value)
  } catch {
    return undefined
  }
}

describe("inputs over HTTP", () => {
  let service: MemoryService
  let sample: ReturnType<MemoryService["state"]>
  beforeAll(async () => {
    service = await memoryService({ callerOf: () => ({}) })
    sample = service.state()
  })
  // What one endpoint stored, such as a policy that denies the next one, decides nothing for another: neither in the store
  // nor in what is cached of it for half a second.
  stopClock()
  let tests = 0
  beforeEach(() => void vi.setSystemTime(Date.now() + 1_000 * ++tests))
  afterEach(() => service.putBack(sample))
  afterAll(() => service.close())

  const ask = async (
    { headers, method, target }: Omit<RestRequest, "body">,
    body: string | Uint8Array | undefined
  ): Promise<{ readonly status: number; readonly body: unknown; readonly told: string }> => {
    const response = await service.svc.fetch(
      new Request(`http://host${target}`, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        ...(body === undefined ? {} : { body: bytesOf(body) })
      })
    )
    const text = await response.text()
    const told = `${method} ${target.slice(0, 200)} ${String(body).slice(0, 400)} answered ${response.status} ${text.slice(0, 500)}`
    assert.match(response.headers.get("svc-request-id") ?? "", /^req_/, told)
    if (text !== "") assert.strictEqual(response.headers.get("content-type"), "application/json", told)
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text), told }
  }

  /** A refusal in either of its two forms, as an envelope. */
  const refusalOf = (answer: unknown, status: number): FailureEnvelope => {
    const error = isNode(answer) ? answer["error"] : undefined
    const { code, message } = isNode(error) ? error : {}
    // The codes are checked against the table by who gets this.
    return { ok: false, status, error: { code, message } } as FailureEnvelope
  }

  for (const command of some(commands)) {
    it(`POST /api/v1/commands/${command.id}`, async () => {
      const { input_schema, output_schema } = describeWithSchemas(command)
      const wrongOutput = schemaErrors(output_schema)
      const examples = command.examples.map(({ input }) => input)
      const request = { method: "POST", target: `/api/v1/commands/${command.id}`, headers: {} }
      const before = service.state()
      for (const body of malformed) {
        const { body: answer, status, told } = await ask(request, body)
        assert.strictEqual(status, 400, told)
        assert.strictEqual(isNode(answer) && answer["ok"], false, told)
        assert.strictEqual(refusalProblem(String(body), refusalOf(answer, status)), undefined, told)
      }
      assert.strictEqual(service.state(), before, "a malformed body changed something")
      const inputs = inputOf(input_schema, sampleValues, examples)
      for (const input of fc.sample(inputs, { numRuns: generatedOfEach, seed })) {
        const text = jsonOf(input)
        if (text === undefined) continue
        const { body: answer, status, told } = await ask(request, text)
        assert.isTrue(isNode(answer), told)
        if (!isNode(answer)) continue
        assert.strictEqual("meta" in answer, enveloped.has(status), told)
        if (status === 200) assert.strictEqual(wrongOutput(answer["data"]), undefined, told)
        else assert.strictEqual(refusalProblem(input, refusalOf(answer, status)), undefined, told)
      }
    })
  }

  for (const binding of some(restBindings)) {
    it(`${binding.method} ${binding.path}`, async () => {
      const command = shapeOf(binding)
      const examples = command.examples.map(({ input }) => input)
      const [example = {}] = examples
      const usual = restRequest(binding, example)
      const before = service.state()
      for (const body of usual.body === undefined ? [] : malformed) {
        const { body: answer, status, told } = await ask(usual, body)
        // Nothing at all may be said as a change of nothing, and where the path says everything.
        if (body === "" && (binding.method === "PATCH" || status < 300)) continue
        assert.strictEqual(status, 400, told)
        assert.strictEqual(refusalProblem(String(body), refusalOf(answer, status)), undefined, told)
      }
      if (binding.method === "GET") assert.strictEqual(service.state(), before, "reading changed something")
      const { input_schema } = describeWithSchemas(command)
      for (const input of fc.sample(inputOf(input_schema, sampleValues, examples), {
        numRuns: generatedOfEach,
        seed
      })) {
        if (!isNode(input) || jsonOf(input) === undefined) continue
        const request = restRequest(binding, input)
        const { body: answer, status, told } = await ask(request, request.body)
        if (status < 300) assert.isTrue(isNode(answer) && isNode(answer["data"]), told)
        else assert.strictEqual(refusalProblem(input, refusalOf(answer, status)), undefined, told)
      }
    })
  }
})
