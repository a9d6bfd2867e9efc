/** Whether two messages are the same but for whom they address. */

/** A text for a person. */
export interface AddressedText {
  readonly text: string
  readonly name: string
  readonly company: string
}

/** Shorter texts, such as thanks, are alike by nature. In characters of the folded form. */
const minTemplateLength = 40

const fold = (text: string): string => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase()

/** The words of a text, without case and accents. */
export const wordsOf = (text: string): ReadonlyArray<string> => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

/**
 * The text without case, accents, punctuation and white space, and without the parts of the person's name and company: two
 * messages with the same fold are one template. Undefined when the text is too short to tell.
 */
export const templateOf = ({ company, name, text }: AddressedText): string | undefined => {
  const own = new Set([...wordsOf(name), ...wordsOf(company)])
  const template = wordsOf(text)
    .filter((word) => !own.has(word))
    .join(" ")
  return template.length < minTemplateLength ? undefined : template
}
