/** The template literals of a source, with what is nested in them: enough of a reader to find SQL. */

/** A template literal that is in no other. `text` holds everything between its back quotes, nested ones included. */
export interface Template {
  readonly line: number
  readonly text: string
}

/** Position behind a quoted text that starts at `at`. */
const behindString = (source: string, at: number): number => {
  let position = at + 1
  while (position < source.length && source[position] !== source[at]) position += source[position] === "\\" ? 2 : 1
  return position + 1
}

/** Position behind a comment that starts at `at`, or `at` when none does. */
const behindComment = (source: string, at: number): number => {
  const end = source.startsWith("//", at)
    ? source.indexOf("\n", at)
    : source.startsWith("/*", at)
      ? source.indexOf("*/", at) + 2
      : at
  return end < at ? source.length : end
}

/** Position behind the substitution whose content starts at `at`. */
const behindSubstitution = (source: string, at: number): number => {
  let position = at
  for (let depth = 1; position < source.length && depth > 0; ) {
    const sign = source[position]
    if (sign === "`") position = behindTemplate(source, position)
    else if (sign === '"' || sign === "'") position = behindString(source, position)
    else {
      if (sign === "{") depth++
      if (sign === "}") depth--
      position++
    }
  }
  return position
}

const behindTemplate = (source: string, at: number): number => {
  let position = at + 1
  while (position < source.length && source[position] !== "`") {
    if (source.startsWith("$\u007b", position)) position = behindSubstitution(source, position + 2)
    else position += source[position] === "\\" ? 2 : 1
  }
  return position + 1
}

/** The outermost template literals of a TypeScript source. Regular expressions with quotes in them are not understood. */
export const templatesIn = (source: string): ReadonlyArray<Template> => {
  const found: Array<Template> = []
  let position = 0
  while (position < source.length) {
    const sign = source[position]
    const behind = behindComment(source, position)
    if (behind > position) position = behind
    else if (sign === '"' || sign === "'") position = behindString(source, position)
    else if (sign === "`") {
      const end = behindTemplate(source, position)
      found.push({ line: source.slice(0, position).split("\n").length, text: source.slice(position + 1, end - 1) })
      position = end
    } else position++
  }
  return found
}
