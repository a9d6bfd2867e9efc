/**
 * Removes characters that a person cannot see from text by strangers, before a person or a model reads it.
 *
 * Control, invisible and bidirectional characters can hide instructions in messages and profiles. Stored text does not
 * change.
 */

const controls = /(?![\t\n\r])\p{Cc}/gu
const lines = /[\u2028\u2029]/g
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\ufff9-\ufffb]/u
const everyInvisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}\ufff9-\ufffb]/gu
const pictograph = /(\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)$/u
const pictographNext = /^\p{Extended_Pictographic}/u
const joining =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Mongolian}]/u

/** Whether a joiner is part of the writing: inside an emoji, or between letters of some scripts. */
const belongs = (mark: string, before: string, after: string): boolean => {
  if (mark === "\ufe0f") return /[\p{Extended_Pictographic}0-9#*]$/u.test(before)
  if (mark === "\u200d" && pictograph.test(before) && pictographNext.test(after)) return true
  return (mark === "\u200d" || mark === "\u200c") && joining.test(before) && joining.test(after)
}

/** The text without control and invisible characters. */
export const visibleText = (text: string): string => {
  const plain = text.toWellFormed().replaceAll(controls, "").replaceAll(lines, "\n")
  if (!invisible.test(plain)) return plain
  return plain.replaceAll(everyInvisible, (mark, index: number) => {
    const before = plain.slice(Math.max(0, index - 2), index)
    const after = plain.slice(index + mark.length, index + mark.length + 2)
    return belongs(mark, before, after) ? mark : ""
  })
}
