/**
 * Detecting opt-outs in messages. Pure, and linear in the text.
 *
 * Only what is certain suppresses. A request with a condition, a date, a channel or an invitation beside it is uncertain: a
 * person decides.
 */
import { languages } from "./languages/languages.ts"
import { type CompiledLanguage, compile } from "./OptOutLanguage.ts"
import { ownWords } from "./ownWords.ts"
import { type PlainSentence, plainSentences } from "./plainWords.ts"

/** `words` are those that the message was taken for an opt-out by. */
interface OptOut {
  readonly certainty: "certain" | "uncertain"
  readonly words: string
}

/** Only this many characters are searched. */
const maxLength = 20_000

let compiled: ReadonlyArray<CompiledLanguage> | undefined

/** The languages, compiled when the first message is read: few processes read any. */
const compiledLanguages = (): ReadonlyArray<CompiledLanguage> => {
  compiled ??= languages.map(compile)
  return compiled
}

const scripts: Readonly<Record<CompiledLanguage["script"], RegExp>> = {
  latin: /\p{Script=Latin}/u,
  cyrillic: /\p{Script=Cyrillic}/u,
  arabic: /\p{Script=Arabic}/u,
  cjk: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
}

const certain = (words: string): OptOut => ({ certainty: "certain", words: words.replaceAll(/[, ]+$/g, "") })
const uncertain = (words: string): OptOut => ({ ...certain(words), certainty: "uncertain" })

const clearest = (found: ReadonlyArray<OptOut>): OptOut | undefined =>
  found.find(({ certainty }) => certainty === "certain") ?? found[0]

/** The clause that a cue stands in, up to it. */
const clauseBefore = (before: string, { join }: CompiledLanguage): string => {
  const clause = before.slice(before.lastIndexOf(",") + 1).trimStart()
  const last = [...clause.matchAll(join)].at(-1)
  return last === undefined ? clause : clause.slice(last.index + last[0].length)
}

/** What a sentence asks for, and the sentence without those words. */
const cuesIn = (text: string, language: CompiledLanguage) => {
  let rest = text
  const found: Array<OptOut> = []
  for (const { kind, pattern } of language.cues) {
    for (const { 0: words, index } of text.matchAll(pattern)) {
      const before = text.slice(0, index)
      const clause = clauseBefore(before, language)
      if (language.isNegated.test(clause) || language.isOther.test(clause)) continue
      const isLedIn = language.isLedIn.test(clause)
      const earlier = isLedIn ? before.slice(0, before.length - clause.length) : before
      const around = `${earlier}${language.spaced ? "¤ " : "¤"}${text.slice(index + words.length)}`
      const isAsked = kind === "statement" || (kind === "command" && (isLedIn || language.isPleaded.test(clause)))
      const isPlain = !language.isReport.test(before) && !language.isLimited.test(around)
      found.push(isAsked && isPlain ? certain(words) : uncertain(words))
      rest = rest.replace(words, language.spaced ? "¤ " : "¤")
    }
  }
  return { found, rest }
}

const greeting =
  /^(hi|hello|hey|dear|hallo|hoi|beste|geachte|liebe|lieber|guten tag|bonjour|salut|hola|buenos dias|buenas|estimada|estimado|ciao|buongiorno|salve|gentile|ola|oi|bom dia|boa tarde|prezada|prezado|czesc|dzien dobry|szanowna|szanowny|hej|hei|kara|kare|sehr geehrte[rs]?)( [^ ,]+){0,3}, /u

const opening = (text: string): string => text.replace(greeting, "")

/** The words without courtesies. */
const bare = (text: string, { courtesies, spaced }: CompiledLanguage): string =>
  `${text.replaceAll(/[, ]+$/g, "")}${spaced ? " " : ""}`.replaceAll(courtesies, "").replaceAll(/^[, ]+|[, ]+$/g, "")

/** A word or two that say it all. */
const aloneIn = (
  sentences: ReadonlyArray<PlainSentence>,
  texts: ReadonlyArray<string>,
  language: CompiledLanguage
): ReadonlyArray<OptOut> => {
  const { alone, aloneInMessage } = language
  const wholes = texts.map((text) => bare(text, language))
  const said = wholes.filter((whole) => whole !== "")
  const [only] = said
  if (said.length === 1 && only !== undefined && (alone.has(only) || aloneInMessage.has(only))) return [certain(only)]
  return texts.flatMap((text, at) => {
    const whole = wholes[at] ?? ""
    if (aloneInMessage.has(whole)) return [sentences[at]?.isShouted ? certain(whole) : uncertain(whole)]
    const clause = text
      .split(/, ?/)
      .map((part) => bare(part, language))
      .find((part) => alone.has(part))
    if (clause === undefined) return []
    return [language.isLimited.test(text) || language.isReport.test(text) ? uncertain(clause) : certain(clause)]
  })
}

const inLanguage = (sentences: ReadonlyArray<PlainSentence>, language: CompiledLanguage): OptOut | undefined => {
  const texts = sentences.map(({ spaced, unspaced }, at) =>
    language.spaced ? (at === 0 ? opening(spaced) : spaced) : unspaced
  )
  const read = texts.map((text) => cuesIn(text, language))
  const found = clearest([...aloneIn(sentences, texts, language), ...read.flatMap((one) => one.found)])
  const isInviting = read.some(({ rest }) => language.isInviting.test(rest))
  return found !== undefined && isInviting ? uncertain(found.words) : found
}

const inText = (text: string): OptOut | undefined => {
  const sentences = plainSentences(text)
  return clearest(
    compiledLanguages().flatMap((language) =>
      scripts[language.script].test(text) ? (inLanguage(sentences, language) ?? []) : []
    )
  )
}

/** The opt-out in a message; undefined without one. */
export const readOptOut = (text: string): OptOut | undefined => {
  const { body, signature } = ownWords(text.slice(0, maxLength))
  const said = inText(body)
  if (said?.certainty === "certain") return said
  const signed = inText(signature)
  return said ?? (signed && uncertain(signed.words))
}
