/**
 * Repeating what a caller sent, in a message: cut, quoted, and free of characters that a reader cannot see.
 *
 * Source: contract 1.4; a message never holds more than 100 characters of input at once.
 */

const escaped = (sign: string): string => {
  if (sign === '"' || sign === "\\") return `\\${sign}`
  return /[\p{C}\u2028\u2029]/u.test(sign) ? `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}` : sign
}

/**
 * The text in quotes, cut to `most` characters (UTF-16; 64 unless told otherwise, as long as an id may be). Control,
 * format and unpaired characters are shown as escapes.
 */
export const quote = (text: string, most = 64): string => {
  let shown = ""
  for (const sign of text) {
    const next = escaped(sign)
    if (shown.length + next.length > most) return `"${shown}…"`
    shown += next
  }
  return `"${shown}"`
}
