/**
 * Many inputs for every command, made from its published schema: whatever comes in, the answer is one of those that the
 * product promises, what is refused changes nothing, and what is accepted is kept as it was sent.
 */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { commands } from "#core/commands.ts"
import { describeWithSchemas } from "#core/kernel/command/Catalog.ts"
import type { AnyCommand } from "#core/kernel/command/Command.ts"
import { defaultOptions } from "#core/kernel/command/Execution.ts"
import { effort } from "../support/effort.ts"
import { changedTables, type MemoryService, memoryService } from "../support/memoryService.ts"
import { restShapes } from "../support/rest.ts"
import { sampleValues } from "../support/sampleNames.ts"
import { inputOf, isNode } from "../support/schemaArbitrary.ts"
import { schemaErrors } from "../support/schemaValidator.ts"
import { changedTexts } from "./changedTexts.ts"
import { refusalProblem } from "./refusalProblem.ts"

const seed = 20_261_121
const inputsOfEach = effort(60)
/** After so many inputs the sample is put back, so that what was deleted or cancelled can be so again. */
const inputsOfOneSample = 30

/** Commands for which the sample has nothing or the generator makes nothing that they accept. */
const rarelyAccepted: Readonly<Record<string, string>> = {
  "approval.answer": "takes a state that was signed for the key",
  "offer.delete": "the sample's offer is used by its mission",
  "DELETE /offers/{offerId}": "the sample's offer is used by its mission",
  "lead.suppression.lift": "takes exactly the address that was suppressed",
  "POST /missions/{missionHandle}/imports": "takes a file with exactly one source"
}

/** Tables that say what was tried. */
const isAudit = (table: string): boolean => table.startsWith("audit")

/** How an input is shown in a failing test. */
const shown = (value: unknown): string => {
  try {
    return String(JSON.stringify(value)).slice(0, 600)
  } catch {
    return "a value nested too deep to be shown"
  }
}

/** The input as a schema may judge it: white space around texts is the caller's, what is undefined is absent. */
const trimmed = (input: unknown): unknown =>
  JSON.parse(JSON.stringify(input), (_, value: unknown) => (typeof value === "string" ? value.trim() : value))

const schemasOf = (command: AnyCommand) => {
  const { input_schema, output_schema } = describeWithSchemas(command)
  return {
    inputs: inputOf(
      input_schema,
      sampleValues,
      command.examples.map(({ input }) => input)
    ),
    wrongInput: schemaErrors(input_schema),
    wrongOutput: schemaErrors(output_schema)
  }
}

const isViewers = (table: string): boolean => table === "review_viewers"

/** The commands that read what others write, by the property that both show it under. */
const readers = {
  offer: ["offer.get", "offer_id", "id"],
  lead: ["lead.get", "lead_id", "id"],
  mission: ["mission.get", "mission_id", "id"],
  agent: ["agent.get", "agent_handle", "handle"],
  draft: ["linkedin.draft.get", "draft_id", "draft_id"]
} as const

const restMission = ["GET /missions/{missionHandle}", "missionHandle", "handle"] as const

/** What a public command answered that it wrote, each beside what reading it answers. */
const readBack = async (run: MemoryService["run"], output: Readonly<Record<string, unknown>>) => {
  const pairs: Array<readonly [written: unknown, read: unknown]> = []
  for (const [property, reader] of Object.entries(readers)) {
    const written = output[property]
    // An import only names its mission.
    if (!isNode(written) || "import_type" in output) continue
    const [command, field, id] = property === "mission" && "agentHandle" in written ? restMission : reader
    const { envelope } = await run({ command, input: { [field]: written[id] } })
    const data = envelope.ok && isNode(envelope.data) ? envelope.data : {}
    pairs.push([written, data[property]])
  }
  return pairs
}

let service: MemoryService
let sample: ReturnType<MemoryService["state"]>
beforeAll(async () => {
  service = await memoryService()
  sample = service.state()
})
afterAll(() => service.close())

const governs = ({ id }: AnyCommand): boolean => id === "policy.set"
const listed: ReadonlyArray<AnyCommand> = [...commands, ...restShapes]
// Policies are cached for half a second, so what sets them comes last.
const ordered = [...listed.filter((command) => !governs(command)), ...listed.filter(governs)]

describe.for(ordered)("$id", (command) => {
  it(`answers ${inputsOfEach} inputs as promised`, async () => {
    const { putBack, run, state } = service
    const { inputs, wrongInput, wrongOutput } = schemasOf(command)

    /** Whether the input was accepted; fails where the answer is none that was promised. */
    const isAccepted = async (input: unknown, index: number): Promise<boolean> => {
      const dryRun = index % 7 === 0
      const compact = index % 5 === 0
      const options = { ...defaultOptions, dryRun, responseProfile: compact ? "compact" : "full" } as const
      const before = state()
      const { envelope } = await run({ command: command.id, input, options, requestId: "req_generated" })
      // Who looks at an item is noted with a read, for seconds.
      const isLook = command.id === "review.open" && !dryRun && state() !== before
      const isUnchanged = state() === before || (isLook && changedTables(before, state()).every(isViewers))
      try {
        assert.isTrue(isUnchanged || (command.risk !== "read" && !dryRun), "wrote")
        if (!envelope.ok) {
          assert.strictEqual(refusalProblem(input, envelope), undefined)
          const written = isUnchanged ? [] : changedTables(before, state())
          // What a state, a right or a provider refused leaves an audit row; what is not well formed leaves nothing.
          if (envelope.status < 409) assert.isTrue(isUnchanged, `refused but wrote ${written}`)
          else if (!command.outward) assert.isTrue(written.every(isAudit), `refused but wrote ${written}`)
          return false
        }
        assert.strictEqual(wrongOutput(envelope.data), undefined)
        assert.strictEqual(wrongInput(trimmed(input)), undefined, "accepted against its schema")
        if (compact || !isNode(input) || !isNode(envelope.data)) return true
        // An import that was there before is answered, or gone on with, under the name it has, and says so.
        if (envelope.data["already_exists"] === true) return true
        if (envelope.meta.warnings.some((warning) => warning.includes("keeps that name"))) return true
        // What is suppressed for longer keeps its reason and says so; what is lifted is shown as it was.
        if (envelope.meta.warnings.some((warning) => warning.includes("suppressed for longer"))) return true
        if (command.id === "lead.suppression.lift") return true
        assert.deepStrictEqual(changedTexts(input, envelope.data), [])
        if (isUnchanged) return true
        for (const [written, read] of await readBack(run, envelope.data)) assert.deepStrictEqual(read, written)
        return true
      } catch (cause) {
        const answered = `${command.id} #${index} answered ${shown(envelope)} to ${shown(input)}`
        throw new Error(`${cause instanceof Error ? cause.message : cause}: ${answered}`, { cause })
      }
    }

    let accepted = 0
    for (const [index, input] of fc.sample(inputs, { numRuns: inputsOfEach, seed }).entries()) {
      if (index % inputsOfOneSample === 0) await putBack(sample)
      if (await isAccepted(input, index)) accepted++
    }
    if (rarelyAccepted[command.id] !== undefined) return
    assert.isAtLeast(
      accepted,
      Math.min(6, Math.floor(inputsOfEach / 60)),
      "the generator makes too few inputs that are accepted"
    )
  })
})
