/** The syntax of `--template`: the templates of Go, as other command lines have them. */

/** A value in a pipeline. */
export type Term =
  | { readonly _tag: "Literal"; readonly value: unknown }
  /** A path from the current value, or from a variable. */
  | { readonly _tag: "Path"; readonly variable: string | undefined; readonly names: ReadonlyArray<string> }
  | { readonly _tag: "Call"; readonly name: string; readonly args: ReadonlyArray<Term> }

/** A part of a template. */
export type Node =
  | { readonly _tag: "Text"; readonly text: string }
  | { readonly _tag: "Print"; readonly term: Term }
  | { readonly _tag: "Set"; readonly name: string; readonly term: Term }
  | {
      readonly _tag: "Block"
      readonly kind: "if" | "range" | "with"
      /** Variables of the key and the value. */
      readonly names: ReadonlyArray<string>
      readonly term: Term
      readonly body: ReadonlyArray<Node>
      readonly otherwise: ReadonlyArray<Node>
    }

/** A mistake in a template. */
export class TemplateError extends Error {}

const token = /\s*("(?:[^"\\]|\\.)*"|`[^`]*`|-?\d+(?:\.\d+)?|\$\w*(?:\.\w+)*|(?:\.\w+)+|\.|\w+|:=|[|(),])/y

const tokensOf = (text: string): ReadonlyArray<string> => {
  const tokens: Array<string> = []
  token.lastIndex = 0
  for (let at = 0; text.slice(at).trim() !== ""; at = token.lastIndex) {
    token.lastIndex = at
    const found = token.exec(text)?.[1]
    if (found === undefined) throw new TemplateError(`unexpected ${JSON.stringify(text.slice(at).trim().slice(0, 20))}`)
    tokens.push(found)
  }
  return tokens
}

const constants: Readonly<Record<string, unknown>> = { true: true, false: false, nil: null }

const termOf = (word: string): Term => {
  if (word.startsWith('"')) return { _tag: "Literal", value: JSON.parse(word) }
  if (word.startsWith("`")) return { _tag: "Literal", value: word.slice(1, -1) }
  if (/^-?\d/.test(word)) return { _tag: "Literal", value: Number(word) }
  const [first = "", ...names] = word.split(".")
  if (word.startsWith("$")) return { _tag: "Path", variable: first, names }
  if (word.startsWith(".")) return { _tag: "Path", variable: undefined, names: names.filter((name) => name !== "") }
  return Object.hasOwn(constants, word)
    ? { _tag: "Literal", value: constants[word] }
    : { _tag: "Call", name: word, args: [] }
}

/** Reads a pipeline; each result is the last argument of the call after it. */
const readPipeline = (tokens: Array<string>): Term => {
  let result: Term | undefined
  do {
    const terms: Array<Term> = []
    while (tokens.length > 0 && tokens[0] !== "|" && tokens[0] !== ")") {
      const word = tokens.shift() ?? ""
      if (word === "(") {
        terms.push(readPipeline(tokens))
        if (tokens.shift() !== ")") throw new TemplateError("a ) is missing")
      } else terms.push(termOf(word))
    }
    const [head, ...args] = terms
    if (head === undefined) throw new TemplateError("a value is missing")
    const last: ReadonlyArray<Term> = result === undefined ? [] : [result]
    if (head._tag === "Call") result = { ...head, args: [...head.args, ...args, ...last] }
    else if (args.length > 0 || last.length > 0) throw new TemplateError("only a function takes arguments")
    else result = head
  } while (tokens[0] === "|" && tokens.shift() !== undefined)
  return result
}

const pipelineOf = (text: string): { readonly names: ReadonlyArray<string>; readonly term: Term } => {
  const tokens = [...tokensOf(text)]
  const assign = tokens.indexOf(":=")
  const names = assign === -1 ? [] : tokens.splice(0, assign + 1).filter((word) => word.startsWith("$"))
  const term = readPipeline(tokens)
  if (tokens.length > 0) throw new TemplateError(`unexpected ${tokens[0]}`)
  return { names, term }
}

const isKind = (word: string): word is "if" | "range" | "with" => word === "if" || word === "range" || word === "with"

/** The parts of a template. Throws a {@link TemplateError}. */
export const parseTemplate = (template: string): ReadonlyArray<Node> => {
  const pieces = template.split(/\{\{(?:- )?([\s\S]*?)(?: -)?\}\}/)
  const marks = [...template.matchAll(/\{\{(- )?[\s\S]*?( -)?\}\}/g)]
  let at = 0
  const textAt = (index: number): string => {
    const before = marks[index / 2 - 1]?.[2] === undefined ? (pieces[index] ?? "") : (pieces[index] ?? "").trimStart()
    return marks[index / 2]?.[1] === undefined ? before : before.trimEnd()
  }
  /** Reads until `end` or `else`; the rest of an `else if` is returned. */
  const readUntil = (isNested: boolean): { readonly nodes: ReadonlyArray<Node>; readonly end: string } => {
    const nodes: Array<Node> = []
    for (; at < pieces.length; at++) {
      if (at % 2 === 0) {
        const text = textAt(at)
        if (text !== "") nodes.push({ _tag: "Text", text })
        continue
      }
      const action = (pieces[at] ?? "").trim()
      const [word = ""] = action.split(/\s/, 1)
      if (word === "end" || word === "else") {
        if (!isNested) throw new TemplateError(`{{${word}}} without a block`)
        return { nodes, end: action }
      }
      if (action.startsWith("/*")) continue
      if (isKind(word)) {
        nodes.push(readBlock(word, action.slice(word.length)))
        continue
      }
      const { names, term } = pipelineOf(action)
      const [name] = names
      nodes.push(name === undefined ? { _tag: "Print", term } : { _tag: "Set", name, term })
    }
    if (isNested) throw new TemplateError("{{end}} is missing")
    return { nodes, end: "" }
  }
  const readBlock = (kind: "if" | "range" | "with", text: string): Node => {
    const { names, term } = pipelineOf(text)
    at++
    const { end, nodes: body } = readUntil(true)
    const chained = /^else\s+(if|with)\b(.*)$/s.exec(end)
    const [, next = "", condition = ""] = chained ?? []
    if (isKind(next)) return { _tag: "Block", kind, names, term, body, otherwise: [readBlock(next, condition)] }
    if (end === "end") return { _tag: "Block", kind, names, term, body, otherwise: [] }
    at++
    const { end: last, nodes: otherwise } = readUntil(true)
    if (last !== "end") throw new TemplateError("{{end}} is missing")
    return { _tag: "Block", kind, names, term, body, otherwise }
  }
  return readUntil(false).nodes
}
