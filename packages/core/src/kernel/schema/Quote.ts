/** Quotes what a caller sent in a message: cut, and with invisible characters escaped. */

const escaped = (sign: string): string => {
  if (sign === '"' || sign === "\\") return `\\${sign}`
  return /[\p{C}\u2028\u2029]/u.test(sign) ? `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}` : sign
}

/**
 * The text in quotes, cut to `max` UTF-16 characters; the default is the maximum length of an id. Control, format and
 * unpaired characters are escaped.
 */
export const quote = (text: string, max = 64): string => {
  let shown = ""
  for (const sign of text) {
    const next = escaped(sign)
    if (shown.length + next.length > max) return `"${shown}…"`
    shown += next
  }
  return `"${shown}"`
}
