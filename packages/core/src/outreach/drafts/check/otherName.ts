/** Whether a message addresses another lead. */
import { type AddressedText, wordsOf } from "./repeatedBody.ts"

/** Where the words that address somebody end. */
const pause = /[,!?:;\n]|\s[-–—]\s/u

/** More words before the first pause are a sentence. */
const maxWords = 5

/**
 * The name at the end of the opening words, such as "Dear Mr Turing,", if it is part of the name of another lead. Undefined
 * when these words have a part of the lead's name, or it may be short for one.
 */
export const otherName = (text: string, name: string, others: ReadonlyArray<AddressedText>): string | undefined => {
  const words = (text.trimStart().slice(0, 200).split(pause)[0] ?? "").trim().split(/\s+/)
  const last = words.at(-1) ?? ""
  const parts = wordsOf(last)
  if (words.length > maxWords || !/^\p{Lu}/u.test(last) || last.length < 2) return undefined
  const own = wordsOf(name)
  const isShort = (word: string) => own.some((part) => part.startsWith(word) || word.startsWith(part))
  const isOwn = words.flatMap(wordsOf).some((word) => own.includes(word)) || parts.some(isShort)
  if (own.length === 0 || isOwn) return undefined
  const isOther = (other: AddressedText) => {
    const known = new Set(wordsOf(other.name))
    return parts.every((part) => known.has(part))
  }
  return others.some(isOther) ? last : undefined
}
