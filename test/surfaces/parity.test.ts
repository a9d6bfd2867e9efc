/** One outcome of a step, whatever the surface. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { commands } from "#core/commands.ts"
import { agentView } from "#mcp/agentView.ts"
import { overMcp } from "./overMcp.ts"
import { withoutHash, withPlaceholders } from "./placeholders.ts"
import { commandLine, inProcess, type Outcome, overHttp, type Surface, withClient } from "./Surface.ts"
import { type Scenario, scenarios, textAt } from "./scenarios.ts"

const codeOf = ({ body }: Outcome): unknown => Object(Object(body).error).code

const isCompact = ({ step }: Scenario): boolean =>
  (typeof step === "function" ? step(() => "x") : step).compact === true

/** What models see of an outcome. */
const viewed = (outcome: unknown): unknown => {
  const { body } = Object(outcome)
  const { data } = Object(body)
  return data === undefined ? outcome : { ...Object(outcome), body: { ...body, data: agentView(data) } }
}

describe("the same steps through every surface", () => {
  let surfaces: ReadonlyArray<Surface> = []
  const outcomes = new Map<string, Outcome>()

  beforeAll(async () => {
    surfaces = await Promise.all([inProcess(), overHttp(), commandLine(), overMcp(), withClient()])
  })
  afterAll(() => Promise.all(surfaces.map(({ close }) => close())))

  const outcomeOn = async (surface: Surface, { name, step }: Scenario): Promise<Outcome | undefined> => {
    const earlier = (scenario: string, path: string): string => {
      const outcome = outcomes.get(`${surface.name}/${scenario}`)
      if (outcome === undefined) throw new Error(`"${scenario}" was not run before "${name}"`)
      return textAt(outcome, path)
    }
    const outcome = await surface.run(typeof step === "function" ? step(earlier) : step)
    if (outcome !== undefined) outcomes.set(`${surface.name}/${name}`, outcome)
    return outcome
  }

  for (const scenario of scenarios) {
    it(scenario.name, async () => {
      const found = await Promise.all(surfaces.map((surface) => outcomeOn(surface, scenario)))
      const [inHost, http, cli, mcp, client] = found.map((outcome) => {
        const plain = withPlaceholders(outcome)
        return scenario.ownInput === true ? withoutHash(plain) : plain
      })
      const told = found[1]
      assert.ok(told)
      assert.strictEqual(codeOf(told), scenario.code, JSON.stringify(told.body))
      assert.strictEqual(told.status, scenario.status)
      assert.deepStrictEqual(cli, http, "CLI and HTTP")
      assert.deepStrictEqual(client, http, "client and HTTP")
      // Arguments of a tool are an object, so what is none cannot be said there.
      if (mcp !== undefined) {
        // A compact page has another size for models, so another hash of its input.
        const isView = isCompact(scenario)
        const expected = isView ? withoutHash(viewed(http)) : http
        assert.deepStrictEqual(isView ? withoutHash(mcp) : mcp, expected, "MCP and HTTP")
      }
      // Without a key there is nobody to be in process.
      if (inHost !== undefined) assert.deepStrictEqual(inHost, http, "in process and HTTP")
    })
  }

  it("covers every command, and every class of failure", () => {
    const ids = new Set(
      scenarios.flatMap(({ step }) => {
        const { command } = typeof step === "function" ? step(() => "x") : step
        return command === undefined ? [] : [command]
      })
    )
    assert.deepStrictEqual(
      commands.map(({ id }) => id).filter((id) => !ids.has(id)),
      []
    )
    const statuses = new Set(scenarios.map(({ status }) => status))
    for (const status of [200, 400, 401, 403, 404, 409, 502]) assert.ok(statuses.has(status), `none of ${status}`)
    assert.isAtLeast(scenarios.length, 40)
  })
})
