/** Characters that a reader cannot see, by their code points. Pure. */

/** Controls, format characters and separators of lines (Unicode, general categories Cc, Cf, Zl and Zp), and the Hangul filler. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u3164]/u

/** Joiners belong to emoji and to scripts that join letters. */
const joinsAfter = /(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f|\p{L}|\p{M})$/u
const latin = /(?:\p{Script=Latin}|\p{Script=Cyrillic}|\p{Script=Greek})$/u

const isHidden = (character: string, before: string): boolean => {
  if (!invisible.test(character) || "\t\n\r".includes(character)) return false
  const isJoiner = character === "\u200d" || character === "\u200c"
  return !(isJoiner && joinsAfter.test(before) && !latin.test(before))
}

/** A piece of a text; `code` names a hidden character, as in `U+200B`. */
interface Piece {
  readonly text: string
  readonly code?: string
}

/** A text cut at its hidden characters. */
export const piecesOf = (text: string): ReadonlyArray<Piece> => {
  if (!invisible.test(text)) return [{ text }]
  const pieces: Array<Piece> = []
  let plain = ""
  for (const character of text) {
    if (!isHidden(character, plain)) {
      plain += character
      continue
    }
    if (plain !== "") pieces.push({ text: plain })
    plain = ""
    const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")
    pieces.push({ text: character, code: `U+${code}` })
  }
  return plain === "" ? pieces : [...pieces, { text: plain }]
}
