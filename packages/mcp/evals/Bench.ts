/** One service in memory, and for each task an organization of its own, reached by the official client. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { createSvc } from "@svc/embed"
import { differences, filled, type Json, readSeeds, type Task } from "./Task.ts"

/** The outcome of a call. `code` is that of a refusal. */
export interface Answer {
  readonly isError: boolean
  readonly text: string
  readonly code: string | undefined
  readonly data: unknown
}

/** What a run of a task cost. Tokens are four characters each, of arguments and of the texts of results. */
export interface Cost {
  readonly calls: number
  readonly tokensIn: number
  readonly tokensOut: number
}

/** A prepared task. */
export interface Prepared {
  readonly task: Task
  readonly saved: Record<string, unknown>
  readonly client: Client
  readonly call: (tool: string, args: Json) => Promise<Answer>
  readonly cost: () => Cost
  /** What is wrong with the state, one line each. */
  readonly stateProblems: () => Promise<ReadonlyArray<string>>
  readonly close: () => Promise<void>
}

const tokens = (text: string): number => Math.ceil(text.length / 4)

/** The service of a run of tasks. */
export const openBench = async () => {
  const svc = await createSvc({
    databaseUrl: "memory:",
    gateway: "simulator",
    worker: false,
    rateLimit: 0,
    publicUrl: "http://svc.example"
  })
  const seeds = await readSeeds()
  let count = 0

  const person = async (name: string) => {
    const { apiKey, organizationId } = await svc.createOrganization(name)
    const run = async (command: string, input: unknown): Promise<unknown> => {
      const response = await svc.fetch(
        new Request(`http://127.0.0.1/api/v1/commands/${command}`, {
          method: "POST",
          headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
          body: JSON.stringify(input)
        })
      )
      const body: Json = Object(await response.json())
      if (body["ok"] !== true) throw new Error(`${command}: ${JSON.stringify(body["error"])}`)
      return body["data"]
    }
    return { organizationId, run }
  }

  const prepare = async (task: Task): Promise<Prepared> => {
    const owner = await person(`${task.id} ${++count}`)
    const rival = await person(`Rival of ${task.id} ${count}`)
    const saved: Record<string, unknown> = {}
    for (const part of task.seed.flatMap((item) => (typeof item === "string" ? (seeds[item] ?? []) : [item]))) {
      const output = await (part.rival === true ? rival : owner).run(part.command, filled(part.input, saved))
      if (part.save !== undefined) saved[part.save] = output
    }
    if (task.policy.rules !== undefined) await owner.run("policy.set", task.policy.rules)
    const { scopes, toolset = "default" } = task.policy
    const rights = scopes === undefined ? {} : { scopes }
    const key = Object(await owner.run("key.create", { name: "Agent", actor_kind: "AI_AGENT", ...rights })).api_key
    const client = new Client({ name: "svc evals", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`http://127.0.0.1/mcp?toolset=${toolset}`), {
        requestInit: { headers: { authorization: `Bearer ${key}` } },
        fetch: (url, init) => svc.fetch(new Request(url, init))
      })
    )
    let cost: Cost = { calls: 0, tokensIn: 0, tokensOut: 0 }
    const call = async (name: string, args: Json): Promise<Answer> => {
      const result = await client.callTool({ name, arguments: { ...args } })
      const content: ReadonlyArray<Json> = Array.isArray(result.content) ? result.content : []
      const [first = "", ...notes] = content.map(({ text }) => String(text))
      cost = {
        calls: cost.calls + 1,
        tokensIn: cost.tokensIn + tokens(JSON.stringify(args)),
        tokensOut: cost.tokensOut + tokens([first, ...notes].join("\n"))
      }
      const isError = result.isError === true
      const code = isError ? /^([A-Z_]+):/.exec(first)?.[1] : undefined
      return { isError, text: [first, ...notes].join("\n"), code, data: isError ? undefined : JSON.parse(first) }
    }
    const stateProblems = async () => {
      const problems: Array<string> = []
      for (const { command, expect, input } of task.final) {
        const data = await owner.run(command, filled(input, saved))
        problems.push(...differences(data, expect, saved).map((line) => `${command}: ${line}`))
      }
      return problems
    }
    return { task, saved, client, call, cost: () => cost, stateProblems, close: () => client.close() }
  }

  return { prepare, close: () => svc.close() }
}
