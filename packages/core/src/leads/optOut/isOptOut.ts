/**
 * Detecting certain opt-outs in messages: exact phrases only. Pure, and linear in the text.
 *
 * Everything else is left to a person, so whatever makes a phrase doubtful, such as quotation marks or a broken line, is no opt-out.
 */
import { type OptOutPhrases, phrases, pleases } from "./phrases.ts"

/** Lines after which an earlier message or a signature begins: a rule, or what ends with or is labelled by a colon. */
const endOfOwn = /^(?:--|—|--.*--|_{5,}|.*[:：])$|^\*?[\p{L} ]{1,20}\*?[:：]/u

/** What somebody wrote themselves, in trimmed lines. */
const ownText = (text: string): string => {
  const lines = text.split(/\r\n?|\n/).map((line) => line.replaceAll(/\s+/g, " ").trim())
  const end = lines.findIndex((line) => endOfOwn.test(line))
  return lines
    .slice(0, end < 0 ? lines.length : end)
    .filter((line) => !line.startsWith(">"))
    .join("\n")
}

const quotation = /["“”„«»「」『』]|(?<![\p{L}\p{N}])['‘]/u
const lineBreak = /(?<!\n)\n(?=[\p{Ll}\p{Lo}])/gu
const sentenceEnd = /(?<=[?？؟])|[!！。\n]|(?<!\.)\.(?=\s(?!\p{Ll})|$)/u

/** The sentences of a text; the whole text when some of it may be quoted. */
const sentencesOf = (text: string): ReadonlyArray<string> =>
  quotation.test(text) ? [text] : text.replaceAll(lineBreak, " ").split(sentenceEnd)

/** Without case, diacritics, apostrophes and punctuation other than question marks. */
const plain = (text: string): string =>
  text
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[\p{M}'’‘ʼ`´ـ]/gu, "")
    .replaceAll("؟", "?")
    .replaceAll(/[^\p{L}\p{N}?]+/gu, " ")

const sourceOf = (words: string, fold: (text: string) => string): string => words.replaceAll(/[^();|]+/g, fold)

const anyOf = (words: string): string => sourceOf(words, (word) => plain(word).trim())
const please = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${anyOf(pleases.spaced)})(?![\\p{L}\\p{N}])|${anyOf(pleases.unspaced)}`,
  "gu"
)

/** What is compared: without pleases and spaces either, so that scripts with and without spaces are alike. */
const fold = (text: string): string => plain(text).replaceAll(please, " ").replaceAll(" ", "").replaceAll(/\?+/g, "?")

const choice = /\(([^()]*)\)/

const expand = (phrase: string): ReadonlyArray<string> => {
  const [group, options] = choice.exec(phrase) ?? []
  if (group === undefined || options === undefined) return [phrase]
  return options.split("|").flatMap((option) => expand(phrase.replace(group, option)))
}

/** The phrases of all languages. A question may lack its question mark. */
const phrasesOf = (kind: keyof OptOutPhrases): ReadonlySet<string> =>
  new Set(
    Object.values(phrases)
      .flatMap((language) => sourceOf(language[kind], fold).split(";"))
      .flatMap(expand)
      .flatMap((phrase) => (phrase.endsWith("?") ? [phrase, phrase.slice(0, -1)] : [phrase]))
  )

let known: Readonly<Record<keyof OptOutPhrases, ReadonlySet<string>>> | undefined

/** Whether a message certainly asks for no further contact: a sentence of it, or all of it, is a phrase. */
export const isOptOut = (text: string): boolean => {
  const said = sentencesOf(ownText(text))
    .filter((sentence) => /\p{L}/u.test(sentence))
    .map(fold)
    .filter((sentence) => sentence !== "")
  known ??= { sentences: phrasesOf("sentences"), messages: phrasesOf("messages") }
  const { messages, sentences } = known
  return (
    said.some((sentence) => sentences.has(sentence)) ||
    (said.length > 0 && said.every((sentence) => messages.has(sentence) || sentences.has(sentence)))
  )
}
