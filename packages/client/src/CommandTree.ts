/**
 * The catalogue as methods: `lead.upsert` becomes `svc.leads.upsert`, `import.sales-nav.search` becomes
 * `svc.imports.salesNav.search`.
 *
 * Types and object are derived from the ids, so a new command needs no change here. Editors show a method's summary, which
 * only the names of an interface can carry: MethodIds.ts.
 */
import type { AnyCommand, InputEncodedOf, OutputOf } from "@svc/core"
import type { Commands } from "@svc/core/commands"
import type { MethodIds } from "./MethodIds.ts"

/** Methods of a family are in the plural, as REST paths are. */
const plurals = {
  offer: "offers",
  lead: "leads",
  mission: "missions",
  agent: "agents",
  import: "imports",
  key: "keys",
  webhook: "webhooks",
  event: "events",
  approval: "approvals",
  policy: "policies",
  session: "sessions",
  "agent-run": "agentRuns"
} as const

type Plural = typeof plurals

const plural: Readonly<Record<string, string>> = plurals

type Camel<S extends string> = S extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S

type PathOf<Id extends string> = Id extends `${infer Family}.${infer Rest}`
  ? `${Family extends keyof Plural ? Plural[Family] : Camel<Family>}.${Camel<Rest>}`
  : Camel<Id>

type Head<Path extends string> = Path extends `${infer First}.${string}` ? First : Path

/** Command ids by the dotted path of their method. */
type Paths<C extends AnyCommand> = { readonly [Id in C["id"] as PathOf<Id>]: Id }

/** A method. `O` are the options of a call. */
type Call<C extends AnyCommand, O> = (input: InputEncodedOf<C>, options?: O) => Promise<OutputOf<C>>

/** Whether a command needs no input: it takes none, or is a list without a required field. */
type NeedsNone<C extends AnyCommand> = keyof InputEncodedOf<C> extends never
  ? true
  : C["id"] extends `${string}.list`
    ? Record<never, never> extends InputEncodedOf<C>
      ? true
      : false
    : false

/** The method of a command. */
type Method<C extends AnyCommand, O> =
  NeedsNone<C> extends true ? (() => Promise<OutputOf<C>>) & Call<C, O> : Call<C, O>

type Node<C extends AnyCommand, P extends Readonly<Record<string, string>>, O> = {
  readonly [Name in Head<keyof P & string>]: Name extends keyof P
    ? Method<Extract<C, { readonly id: P[Name] }>, O>
    : Node<C, { readonly [Path in keyof P as Path extends `${Name}.${infer Rest}` ? Rest : never]: P[Path] }, O>
}

/** Methods under the names of `T`, with what is documented there. */
type Methods<T, O> = {
  readonly [Name in keyof T]: T[Name] extends string
    ? Method<Extract<Commands, { readonly id: T[Name] }>, O>
    : Methods<T[Name], O>
}

/** The tree of methods: those of the catalogue, and those of a host's own commands. */
export type CommandTree<Extra extends AnyCommand, O> = Methods<MethodIds, O> &
  Omit<Node<Extra, Paths<Extra>, O>, "commands" | "resources">

const camel = (text: string): string => text.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The path of a command's method: `["imports", "salesNav", "search"]`. */
export const methodPath = (id: string): ReadonlyArray<string> => {
  const [family = "", ...rest] = id.split(".")
  return [plural[family] ?? camel(family), ...rest.map(camel)]
}

/** Methods by the words of their ids. */
export type Branch<O> = { [name: string]: Branch<O> | ((input: unknown, options?: O) => Promise<unknown>) }

/** The tree as an object. `call` runs a command and resolves to its output. */
export const commandTree = <O>(
  ids: ReadonlyArray<string>,
  call: (id: string, input: unknown, options?: O) => Promise<unknown>
): Readonly<Branch<O>> => {
  const root: Branch<O> = {}
  for (const id of ids) {
    const path = methodPath(id)
    let branch = root
    for (const name of path.slice(0, -1)) {
      const known = branch[name]
      const next: Branch<O> = typeof known === "object" ? known : {}
      branch[name] = next
      branch = next
    }
    branch[path.at(-1) ?? id] = (input = {}, options) => call(id, input, options)
  }
  return root
}

/** The id of a method's path, the reverse of {@link methodPath}. */
const commandId = ([first = "", ...rest]: ReadonlyArray<string>): string => {
  const family = Object.keys(plural).find((name) => plural[name] === first) ?? first
  return [family, ...rest].join(".").replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/**
 * The methods of a catalogue that is not known: every path of names is one. `own` are the members that are no commands.
 * No name is `then`, so that the object is no promise.
 */
export const methodsOf = <O>(
  call: (id: string, input: unknown, options?: O) => Promise<unknown>,
  own: Readonly<Record<string, unknown>>
): object => {
  const at = (path: ReadonlyArray<string>): object => {
    const made = new Map<string, object>()
    return new Proxy((input: unknown = {}, options?: O) => call(commandId(path), input, options), {
      get: (_, name) => {
        if (typeof name === "symbol" || name === "then") return undefined
        if (path.length === 0 && Object.hasOwn(own, name)) return own[name]
        const next = made.get(name) ?? at([...path, name])
        made.set(name, next)
        return next
      }
    })
  }
  return at([])
}
