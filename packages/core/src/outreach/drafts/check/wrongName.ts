/** Whether a message addresses somebody else. */
import { type AddressedText, wordsOf } from "./repeatedBody.ts"

/** Where the words that address somebody end. */
const pause = /[,!?:;\n]|\s[-–—]\s/u

/** More words before the first pause are a sentence. */
const maxWords = 5

/** A word with a capital that ends the opening words, such as "Dear Mr Turing,". */
interface WrongName {
  readonly quote: string
  /** Whether it is part of the name of another lead. Otherwise it may be no name. */
  readonly isOther: boolean
}

/** The name of somebody else. Undefined when the opening words have a part of the lead's name, or what may be short for one. */
export const wrongName = (text: string, name: string, others: ReadonlyArray<AddressedText>): WrongName | undefined => {
  const words = (text.trimStart().slice(0, 200).split(pause)[0] ?? "").trim().split(/\s+/)
  const quote = words.at(-1) ?? ""
  const parts = wordsOf(quote)
  if (words.length > maxWords || !/^\p{Lu}/u.test(quote) || quote.length < 2) return undefined
  const own = wordsOf(name)
  const isShort = (word: string) => own.some((part) => part.startsWith(word) || word.startsWith(part))
  const isOwn = words.flatMap(wordsOf).some((word) => own.includes(word)) || parts.some(isShort)
  if (own.length === 0 || isOwn) return undefined
  const isOther = others.some((other) => {
    const known = new Set(wordsOf(other.name))
    return parts.every((part) => known.has(part))
  })
  return isOther || (words.length > 1 && words.length < maxWords) ? { quote, isOther } : undefined
}
