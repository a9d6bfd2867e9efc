/** Edits JSON with comments and trailing commas, and leaves everything else as it is. */
import * as Predicate from "effect/Predicate"
import {
  createScanner,
  findNodeAtLocation,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode
} from "jsonc-parser"

const relaxed = { allowTrailingComma: true }

/** What is wrong with a text, e.g. `line 3: CloseBraceExpected`; undefined if nothing is. */
export const jsonProblem = (text: string): string | undefined => {
  const errors: Array<ParseError> = []
  parseTree(text, errors, relaxed)
  const [first] = errors
  if (first === undefined) return undefined
  return `line ${text.slice(0, first.offset).split("\n").length}: ${printParseErrorCode(first.error)}`
}

/** The value of a text without problems. */
export const parseJson = (text: string): unknown => parse(text, [], relaxed)

const endOf = ({ length, offset }: Node): number => offset + length

const replaced = (text: string, start: number, end: number, by: string): string =>
  text.slice(0, start) + by + text.slice(end)

const eolOf = (text: string): string => (text.includes("\r\n") ? "\r\n" : "\n")

const indentationAt = (text: string, offset: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf("\n", offset - 1) + 1))?.[0] ?? ""

const unitOf = (text: string): string => /^[ \t]+(?=["/}])/m.exec(text)?.[0] ?? "  "

const printed = (text: string, value: unknown, indentation: string): string =>
  JSON.stringify(value, undefined, unitOf(text)).replaceAll("\n", `${eolOf(text)}${indentation}`)

interface Token {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** The tokens between two offsets, comments among them. */
const tokensIn = (text: string, start: number, end: number): ReadonlyArray<Token> => {
  const scanner = createScanner(text.slice(0, end))
  scanner.setPosition(start)
  const tokens: Array<Token> = []
  while (scanner.getPosition() < end) {
    scanner.scan()
    const from = scanner.getTokenOffset()
    const to = from + scanner.getTokenLength()
    tokens.push({ text: text.slice(from, to), start: from, end: to })
  }
  return tokens.filter((token) => token.text.trim() !== "")
}

const commaIn = (text: string, start: number, end: number): Token | undefined =>
  tokensIn(text, start, end).find((token) => token.text === ",")

/** Adds a property as the last one, after the comments that follow the one before. */
const inserted = (text: string, object: Node, key: string, value: unknown): string => {
  const close = endOf(object) - 1
  const last = object.children?.at(-1)
  const from = last === undefined ? object.offset + 1 : endOf(last)
  const comma = last !== undefined && commaIn(text, from, close) !== undefined
  const at = tokensIn(text, from, close).at(-1)?.end ?? from
  const outer = indentationAt(text, object.offset)
  const isOnOwnLine = last !== undefined && text.slice(object.offset, last.offset).includes("\n")
  const inner = isOnOwnLine ? indentationAt(text, last.offset) : outer + unitOf(text)
  const eol = eolOf(text)
  const property = `${eol}${inner}${JSON.stringify(key)}: ${printed(text, value, inner)}${comma ? "," : ""}`
  const rest = text.slice(at, close)
  const withProperty = replaced(text, at, close, property + (rest.includes("\n") ? rest : `${eol}${outer}`))
  return last === undefined || comma ? withProperty : replaced(withProperty, endOf(last), endOf(last), ",")
}

/** Deletes a range, and the line if nothing else is on it. */
const deleted = (text: string, start: number, end: number): string => {
  const before = /[ \t]*$/.exec(text.slice(0, start))?.index ?? start
  const [blank = "", newline] = /^[ \t]*(\r?\n)?/.exec(text.slice(end)) ?? []
  const isAlone = (before === 0 || text[before - 1] === "\n") && newline !== undefined
  return isAlone ? replaced(text, before, end + blank.length, "") : replaced(text, start, end, "")
}

const withoutProperty = (text: string, property: Node): string => {
  const siblings = property.parent?.children ?? []
  const index = siblings.indexOf(property)
  const next = siblings[index + 1]
  const previous = siblings[index - 1]
  const end = endOf(property)
  const after = commaIn(text, end, next?.offset ?? endOf(property.parent ?? property) - 1)
  if (after !== undefined) {
    if (after.start === end) return deleted(text, property.offset, after.end)
    return deleted(replaced(text, after.start, after.end, ""), property.offset, end)
  }
  const without = deleted(text, property.offset, end)
  const before = previous && commaIn(text, endOf(previous), property.offset)
  return before === undefined ? without : replaced(without, before.start, before.end, "")
}

const nodeAt = (text: string, path: ReadonlyArray<string>): Node | undefined => {
  const root = parseTree(text, [], relaxed)
  return root && findNodeAtLocation(root, [...path])
}

/** Sets the value at a path of objects, property by property, so that comments between them stay. */
export const setJson = (text: string, path: ReadonlyArray<string>, value: unknown): string => {
  const node = nodeAt(text, path)
  if (node === undefined) {
    const [key = "", ...parents] = [...path].reverse()
    const parent = parents.reverse()
    const object = nodeAt(text, parent)
    return object === undefined ? setJson(text, parent, { [key]: value }) : inserted(text, object, key, value)
  }
  const old: unknown = parseJson(text.slice(node.offset, endOf(node)))
  if (JSON.stringify(old) === JSON.stringify(value)) return text
  if (node.type !== "object" || !Predicate.isReadonlyObject(value) || !Predicate.isReadonlyObject(old)) {
    return replaced(text, node.offset, endOf(node), printed(text, value, indentationAt(text, node.offset)))
  }
  const gone = Object.keys(old).filter((key) => value[key] === undefined)
  const kept = Object.entries(value).reduce((edited, [key, item]) => setJson(edited, [...path, key], item), text)
  return gone.reduce((edited, key) => removeJson(edited, [...path, key]), kept)
}

/** Removes the property at a path; comments around it stay. */
export const removeJson = (text: string, path: ReadonlyArray<string>): string => {
  const property = nodeAt(text, path)?.parent
  return property === undefined ? text : withoutProperty(text, property)
}
