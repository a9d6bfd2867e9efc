/**
 * Characters of a text that its reader cannot see and its writing does not need: zero-width spaces, marks that reverse direction,
 * tags. They can hide words from whoever approves the text.
 */
import { joining } from "../../kernel/schema/TextRules.ts"

const invisible = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu

const variation = String.raw`[\ufe0e\ufe0f]?\p{Emoji_Modifier}?`

/** Emoji, joined ones too; joiners after the letters that they shape, and variants of Han and Mongolian letters. */
const needed = new RegExp(
  [
    String.raw`\p{RGI_Emoji}`,
    String.raw`\p{Extended_Pictographic}${variation}(?:\u200d\p{Extended_Pictographic}${variation})*`,
    String.raw`(?<=[\p{L}\p{M}])\u200c`,
    String.raw`(?<=${joining.source})\u200d`,
    String.raw`(?<=[\p{Script=Han}\p{Script=Mongolian}])\p{Variation_Selector}`
  ].join("|"),
  "gv"
)

const rightToLeft = /(?=\p{L})[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** The marks between parts of different direction. */
const directionMark = /[\u200e\u200f\u061c]/

/** The hidden characters of a text, in order, each with its index in UTF-16 units. */
export const hiddenIn = (text: string): ReadonlyArray<{ readonly character: string; readonly index: number }> => {
  if (text.search(invisible) === -1) return []
  const rest = text.replaceAll(needed, (part) => " ".repeat(part.length))
  const isNeeded = (mark: string) => directionMark.test(mark) && rightToLeft.test(text)
  return Array.from(rest.matchAll(invisible), ({ 0: character, index }) => ({ character, index })).filter(
    ({ character }) => !isNeeded(character)
  )
}
