/** `--template`: what a template makes of a value. */
import { type Failure, InvalidInput } from "@svc/core"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { Surface } from "../table.ts"
import { functionsFor, isTrue, textOf } from "./functions.ts"
import { type Node, parseTemplate, TemplateError, type Term } from "./parseTemplate.ts"

type Variables = Readonly<Record<string, unknown>>

const memberOf = (value: unknown, name: string): unknown =>
  Predicate.isObject(value) && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined

const evaluate = (root: unknown, surface: Surface) => {
  const functions = functionsFor(surface)
  const valueOf = (term: Term, current: unknown, variables: Variables): unknown => {
    if (term._tag === "Literal") return term.value
    if (term._tag === "Path") {
      const { names, variable } = term
      if (variable !== undefined && !Object.hasOwn(variables, variable)) {
        throw new TemplateError(`unknown variable ${variable}`)
      }
      return names.reduce<unknown>(memberOf, variable === undefined ? current : variables[variable])
    }
    const call = Object.hasOwn(functions, term.name) ? functions[term.name] : undefined
    if (call === undefined) throw new TemplateError(`unknown function ${term.name}`)
    return call(...term.args.map((arg) => valueOf(arg, current, variables)))
  }
  const render = (nodes: ReadonlyArray<Node>, current: unknown, given: Variables): string => {
    let variables = given
    let text = ""
    for (const node of nodes) {
      if (node._tag === "Text") text += node.text
      else if (node._tag === "Print") text += textOf(valueOf(node.term, current, variables))
      else if (node._tag === "Set") variables = { ...variables, [node.name]: valueOf(node.term, current, variables) }
      else text += renderBlock(node, current, variables)
    }
    return text
  }
  const renderBlock = (node: Node & { readonly _tag: "Block" }, current: unknown, variables: Variables): string => {
    const value = valueOf(node.term, current, variables)
    const [key, item = key] = node.names
    if (!isTrue(value)) return render(node.otherwise, current, variables)
    if (node.kind !== "range") {
      const inner = key === undefined ? variables : { ...variables, [key]: value }
      return render(node.body, node.kind === "with" ? value : current, inner)
    }
    return Object.entries(Object(value))
      .map(([name, each]) => {
        const named =
          node.names.length === 2 && key !== undefined ? { [key]: Array.isArray(value) ? Number(name) : name } : {}
        return render(node.body, each, { ...variables, ...named, ...(item === undefined ? {} : { [item]: each }) })
      })
      .join("")
  }
  return (nodes: ReadonlyArray<Node>) => render(nodes, root, { $: root })
}

/** The text. Fails with INVALID_INPUT for a mistake in the template. */
export const runTemplate = (value: unknown, template: string, surface: Surface): Effect.Effect<string, Failure> =>
  Effect.try({
    try: () => evaluate(value, surface)(parseTemplate(template)).replace(/\n$/, ""),
    catch: (error) =>
      new InvalidInput({ message: `--template: ${error instanceof Error ? error.message : "not valid"}.` })
  })
