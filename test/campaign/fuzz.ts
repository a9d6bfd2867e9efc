/**
 * Bodies made from the published schemas, good and bad, for every command and endpoint over HTTP.
 *
 * Lost: an answer that is not what was published. Doubled: a retry with the same idempotency key changed something.
 * Leaked: an answer shows something of another organization.
 */
import * as fc from "fast-check"
import { commands } from "#core/commands.ts"
import { describeWithSchemas } from "#core/kernel/command/Catalog.ts"
import type { AnyCommand } from "#core/kernel/command/Command.ts"
import type { FailureEnvelope } from "#core/kernel/command/Envelope.ts"
import { restBindings } from "#http/restBindings.ts"
import { refusalProblem } from "../generated/refusalProblem.ts"
import { memoryService } from "../support/memoryService.ts"
import { shapeOf } from "../support/rest.ts"
import { type RestRequest, restRequest } from "../support/restRequest.ts"
import { sampleValues } from "../support/sampleNames.ts"
import { inputOf, isNode } from "../support/schemaArbitrary.ts"
import { schemaErrors } from "../support/schemaValidator.ts"
import { fillTenant } from "../support/tenant.ts"
import type { Campaign } from "./Tally.ts"

/** The mark of the organization that nobody may see. */
const hidden = "qqxqqb"
/** After so many inputs the sample is put back, so that what was deleted can be deleted again. */
const inputsOfOneSample = 30

interface Door {
  readonly command: AnyCommand
  readonly request: (input: unknown) => RestRequest
}

const doors: ReadonlyArray<Door> = [
  ...commands.map((command) => ({
    command,
    request: (input: unknown): RestRequest => ({
      method: "POST",
      target: `/api/v1/commands/${command.id}`,
      body: JSON.stringify(input) ?? "",
      headers: {}
    })
  })),
  ...restBindings.map((binding) => ({
    command: shapeOf(binding),
    request: (input: unknown) => restRequest(binding, isNode(input) ? input : {})
  }))
]

/** The request, undefined for a value that no client can write as JSON. */
const requestOf = ({ request }: Door, input: unknown): RestRequest | undefined => {
  try {
    return request(input)
  } catch {
    return undefined
  }
}

/** What is wrong with an answer below 500; undefined when it is as published. */
const problemOf = (
  door: Door,
  wrongOutput: (data: unknown) => string | undefined,
  input: unknown,
  status: number,
  body: unknown
): string | undefined => {
  if (status < 300) {
    if (door.command.id.includes(" ") || !isNode(body)) return undefined
    return wrongOutput(body["data"])
  }
  const { code, message } = Object(isNode(body) ? body["error"] : undefined)
  return refusalProblem(input, { ok: false, status, error: { code, message } } as FailureEnvelope)
}

/** Runs the campaign. */
export const fuzz: Campaign = async ({ count, seed }, tally) => {
  const service = await memoryService({ callerOf: () => ({}) })
  const other = await service.svc.createOrganization("Other")
  await fillTenant(service, other.organizationId, hidden)
  const sample = service.state()

  const ask = async ({ body, headers, method, target }: RestRequest, key: string | undefined) => {
    const response = await service.svc.fetch(
      new Request(`http://host${target}`, {
        method,
        headers: {
          ...headers,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...(key === undefined ? {} : { "idempotency-key": key })
        },
        ...(body === undefined ? {} : { body: body.toWellFormed() })
      })
    )
    return { status: response.status, text: await response.text() }
  }

  const each = Math.ceil(count / doors.length)
  // Some inputs cannot be written as JSON.
  const drawn = Math.ceil(each * 1.2)
  for (const [index, door] of doors.entries()) {
    const { input_schema, output_schema } = describeWithSchemas(door.command)
    const wrongOutput = schemaErrors(output_schema)
    const examples = door.command.examples.map(({ input }) => input)
    const inputs = fc.sample(inputOf(input_schema, sampleValues, examples), { numRuns: drawn, seed: seed + index })
    const enough = Math.min(count, tally.tried + each)
    for (const [turn, input] of inputs.entries()) {
      if (tally.tried >= enough) break
      if (turn % inputsOfOneSample === 0) await service.putBack(sample)
      const request = requestOf(door, input)
      if (request === undefined) continue
      tally.tried++
      const key = turn % 7 === 0 && door.command.risk !== "read" ? `${index}-${turn}` : undefined
      const told = `${door.command.id} ${request.target.slice(0, 200)} ${String(request.body).slice(0, 300)}`
      try {
        const { status, text } = await ask(request, key)
        tally.hit(String(status))
        if (text.includes(hidden)) tally.add("leaked", `${told} answered ${text.slice(0, 300)}`)
        const body: unknown = text === "" ? undefined : JSON.parse(text)
        const answered = `${told} answered ${status} ${text.slice(0, 300)}`
        if (status >= 500 && status !== 502) tally.add("failed", answered)
        else {
          const problem = problemOf(door, wrongOutput, input, status, body)
          if (problem !== undefined) tally.add("lost", `${problem}: ${answered}`)
        }
        if (key === undefined || status >= 300) continue
        const before = service.state()
        tally.hit("retried with its key")
        await ask(request, key)
        if (service.state() !== before) tally.add("doubled", answered)
      } catch (cause) {
        tally.add("failed", `${told} ended with ${cause}`)
      }
    }
  }
  await service.close()
}
