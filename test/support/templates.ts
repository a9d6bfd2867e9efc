/** The strings and template literals of a source: enough of a reader to find SQL. */

/** A literal: `text` is what is between its quotes. */
export interface Literal {
  readonly line: number
  readonly text: string
}

/** Position behind a quoted text that starts at `at`. None goes on in another line. */
const behindString = (source: string, at: number): number => {
  let position = at + 1
  const ends = new Set([source[at], "\n"])
  while (position < source.length && !ends.has(source[position])) position += source[position] === "\\" ? 2 : 1
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

const lineOf = (source: string, position: number): number => source.slice(0, position).split("\n").length

/** The template literals of a TypeScript source that are in no other, with all that is nested in them. Regular expressions with quotes in them are not understood. */
export const templatesIn = (source: string): ReadonlyArray<Literal> => {
  const found: Array<Literal> = []
  let position = 0
  while (position < source.length) {
    const sign = source[position]
    const behind = behindComment(source, position)
    if (behind > position) position = behind
    else if (sign === '"' || sign === "'") position = behindString(source, position)
    else if (sign === "`") {
      const end = behindTemplate(source, position)
      found.push({ line: lineOf(source, position), text: source.slice(position + 1, end - 1) })
      position = end
    } else position++
  }
  return found
}

/** What a substitution of a template is in the texts of {@link textsIn}. */
const substituted = "$\u007b}"

/** Every string and template literal, those in substitutions too, each by itself. */
export const textsIn = (source: string): ReadonlyArray<Literal> => {
  const found: Array<Literal> = []
  const read = (from: number, to: number): void => {
    for (let position = from; position < to; ) {
      const sign = source[position]
      const behind = behindComment(source, position)
      if (behind > position) position = behind
      else if (sign === '"' || sign === "'") {
        const end = behindString(source, position)
        found.push({ line: lineOf(source, position), text: source.slice(position + 1, end - 1) })
        position = end
      } else if (sign === "`") {
        const end = behindTemplate(source, position)
        let text = ""
        for (let at = position + 1; at < end - 1; ) {
          if (!source.startsWith("$\u007b", at)) text += source[at++]
          else {
            const next = behindSubstitution(source, at + 2)
            read(at + 2, next - 1)
            text += substituted
            at = next
          }
        }
        found.push({ line: lineOf(source, position), text })
        position = end
      } else position++
    }
  }
  read(0, source.length)
  return found
}
