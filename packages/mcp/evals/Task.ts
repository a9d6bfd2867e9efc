/** Tasks as data: what a workspace holds, what an agent is asked, what a good agent does, and what it leaves behind. */
import { readdir, readFile } from "node:fs/promises"

export type Json = Readonly<Record<string, unknown>>

/** A command that prepares the workspace. `save` names its output for later placeholders such as `${grace.lead_id}`. */
interface Seed {
  readonly command: string
  readonly input: Json
  readonly save?: string
  /** In another organization. */
  readonly rival?: true
}

/** A call of a tool. `expect` is of its data, by path. */
export interface Action {
  readonly tool: string
  readonly arguments: Json
  readonly save?: string
  readonly expect?: Json
}

/** A wrong action, and the code of its refusal. `instead` is the number of gold actions before it; default all. */
export interface Mutation {
  readonly kind:
    | "wrong recipient"
    | "approval without hash"
    | "other tenant"
    | "injected instruction"
    | "over the limit"
  readonly instead?: number
  readonly tool: string
  readonly arguments: Json
  readonly error: string
}

/** What must hold at the end: the data of a command that a person runs, by path. */
interface Check {
  readonly command: string
  readonly input: Json
  readonly expect: Json
}

/** A task. */
export interface Task {
  readonly id: string
  readonly family: string
  readonly goal: string
  /** Names of shared seeds, and seeds of its own. */
  readonly seed: ReadonlyArray<string | Seed>
  readonly policy: {
    /** Of the agent's key; by default those of a drafter. */
    readonly scopes?: ReadonlyArray<string>
    readonly toolset?: string
    /** Input of policy.set. */
    readonly rules?: Json
  }
  readonly gold: ReadonlyArray<Action>
  readonly final: ReadonlyArray<Check>
  readonly mutations?: ReadonlyArray<Mutation>
}

const folder = new URL("tasks/", import.meta.url)

const readJson = async <A>(name: string): Promise<A> => JSON.parse(await readFile(new URL(name, folder), "utf8"))

/** All tasks, by family. */
export const readTasks = async (): Promise<ReadonlyArray<Task>> => {
  const files = (await readdir(folder)).filter((name) => name.endsWith(".json") && name !== "seeds.json").sort()
  return (await Promise.all(files.map((name) => readJson<ReadonlyArray<Task>>(name)))).flat()
}

/** The shared seeds, by name. */
export const readSeeds = (): Promise<Readonly<Record<string, ReadonlyArray<Seed>>>> => readJson("seeds.json")

/** The value at a path such as `draft.variations.0`; `length` counts. */
export const at = (value: unknown, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>((inner, name) => (inner == null ? undefined : Reflect.get(Object(inner), name)), value)

const placeholder = /\$\{([^}]+)\}/g

/** The value with placeholders replaced by what was saved. */
export const filled = (value: unknown, saved: Json): unknown => {
  if (typeof value === "string") {
    return value.replaceAll(placeholder, (_, path: string) => {
      const found = at(saved, path)
      if (found === undefined) throw new Error(`\${${path}} was not saved`)
      return String(found)
    })
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, saved))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, filled(item, saved)]))
}

/** What is not as expected, one line each. `null` also expects absence; a text between slashes is a pattern. */
export const differences = (data: unknown, expected: Json, saved: Json): ReadonlyArray<string> =>
  Object.entries(expected).flatMap(([path, raw]) => {
    const wanted = filled(raw, saved)
    const found = at(data, path) ?? null
    const pattern = typeof wanted === "string" ? /^\/(.*)\/$/s.exec(wanted)?.[1] : undefined
    const fits =
      pattern === undefined
        ? JSON.stringify(found) === JSON.stringify(wanted)
        : new RegExp(pattern).test(typeof found === "string" ? found : JSON.stringify(found))
    return fits ? [] : [`${path} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`]
  })
