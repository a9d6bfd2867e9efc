/**
 * Detecting opt-outs in messages. Pure, and linear in the text.
 *
 * Only what is certain suppresses. A request with a condition, a date, a channel or an invitation beside it is uncertain: a
 * person decides.
 */
import { languages } from "./languages/languages.ts"
import { indexed, type OptOutLanguage, type PlainText, type Reader } from "./OptOutLanguage.ts"
import { ownWords } from "./ownWords.ts"
import { makeIndex } from "./PhraseIndex.ts"
import { type PlainSentence, plainSentences } from "./plainWords.ts"

/** `words` are those that the message was taken for an opt-out by. */
interface OptOut {
  readonly certainty: "certain" | "uncertain"
  readonly words: string
}

type Script = OptOutLanguage["script"]

/** Only this many characters are searched. */
const maxLength = 20_000

const scripts = {
  latin: /\p{Script=Latin}/u,
  cyrillic: /\p{Script=Cyrillic}/u,
  cjk: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
  arabic: /\p{Script=Arabic}/u
} as const satisfies Readonly<Record<Script, RegExp>>

type ReadersOf = (sentences: ReadonlyArray<PlainSentence>) => ReadonlyArray<Reader>

const readersIn = (script: Script): ReadersOf => {
  const spaced = script !== "cjk"
  const index = makeIndex(spaced)
  const all = languages.filter((language) => language.script === script).map((language) => indexed(language, index))
  return (sentences) => {
    const find = index.in(sentences.map((sentence) => (spaced ? sentence.spaced : sentence.unspaced)))
    return all.flatMap((makeReader) => makeReader(find) ?? [])
  }
}

const known = new Map<Script, ReadersOf>()

/** Readers of the languages that a text may ask for something in. Those of a script are made for its first text. */
const readersOf = (text: string, sentences: ReadonlyArray<PlainSentence>): ReadonlyArray<Reader> =>
  (Object.keys(scripts) as ReadonlyArray<Script>)
    .filter((script) => scripts[script].test(text))
    .flatMap((script) => {
      const readers = known.get(script) ?? readersIn(script)
      known.set(script, readers)
      return readers(sentences)
    })

const certain = (words: string): OptOut => ({ certainty: "certain", words: words.replaceAll(/[, ]+$/g, "") })
const uncertain = (words: string): OptOut => ({ ...certain(words), certainty: "uncertain" })

const clearest = (found: ReadonlyArray<OptOut>): OptOut | undefined =>
  found.find(({ certainty }) => certainty === "certain") ?? found[0]

/** The clause that a cue stands in, up to it. */
const clauseBefore = (before: string, { join }: Reader): string => {
  const clause = before.slice(before.lastIndexOf(",") + 1).trimStart()
  const last = join.all(clause).at(-1)
  return last === undefined ? clause : clause.slice(last.index + last[0].length)
}

const clauses = (text: string, { join, spaced }: Reader): ReadonlyArray<string> =>
  join
    .replaceAll(text, () => ",")
    .split(",")
    .map((clause) => `${clause.trim()}${spaced ? " " : ""}`)

/** What a sentence asks for, and the sentence without those words. */
const cuesIn = ({ text, pleaded }: PlainText, language: Reader) => {
  let rest = text
  const found: Array<OptOut> = []
  for (const { finder, kind } of language.cues) {
    for (const { 0: words, index } of finder.all(text)) {
      const before = text.slice(0, index)
      const clause = clauseBefore(before, language)
      if (language.isNegated.test(clause) || language.isOther.test(clause)) continue
      if (language.isUnwanted(before, words)) continue
      const isLedIn = language.isLedIn(clause) || (language.script === "arabic" && words.startsWith("و"))
      const earlier = isLedIn ? before.slice(0, before.length - clause.length) : before
      const around = `${earlier}${language.spaced ? "¤ " : "¤"}${text.slice(index + words.length)}`
      const isAsked =
        kind === "statement" ||
        (kind === "command" && (isLedIn || pleaded.has(index) || language.isPleaded.test(clause)))
      const isPlain = !language.isReport.test(before) && !language.isLimited.test(around)
      found.push(isAsked && isPlain ? certain(words) : uncertain(words))
      rest = rest.replace(words, language.spaced ? "¤ " : "¤")
    }
  }
  for (const clause of clauses(text, language)) {
    if (!language.asksInAnyOrder(clause) || language.isOther.test(clause)) continue
    if (language.isUnwanted(text.slice(0, text.indexOf(clause.trim())), clause)) continue
    found.push(language.isReport.test(text) || language.isLimited.test(text) ? uncertain(clause) : certain(clause))
    rest = rest.replace(clause.trim(), language.spaced ? "¤ " : "¤")
  }
  return { found, rest }
}

const greeting =
  /^(hi|hello|hey|dear|hallo|hoi|beste|geachte|liebe|lieber|guten tag|bonjour|salut|hola|buenos dias|buenas|estimada|estimado|ciao|buongiorno|salve|gentile|ola|oi|bom dia|boa tarde|prezada|prezado|czesc|dzien dobry|szanowna|szanowny|hej|hei|kara|kare|sehr geehrte[rs]?)( [^ ,]+){0,3}, /u

const opening = (text: string): string => text.replace(greeting, "")

/** A word or two that say it all. Some do only as a whole message, in capitals, or beside another complaint. */
const aloneIn = (
  sentences: ReadonlyArray<PlainSentence>,
  texts: ReadonlyArray<string>,
  language: Reader,
  isComplaint: boolean
): ReadonlyArray<OptOut> => {
  const { alone, aloneInMessage, bare } = language
  if (!alone.isPossible && !aloneInMessage.isPossible) return []
  const wholes = texts.map(bare)
  const said = wholes.filter((whole) => whole !== "")
  const [only = ""] = said
  if (said.length === 1 && (alone.test(only) || aloneInMessage.test(only))) return [certain(only)]
  return texts.flatMap((text, at) => {
    const whole = wholes[at] ?? ""
    const parts = text.split(/, ?/).map(bare)
    const complaint = isComplaint ? parts.find((part) => aloneInMessage.test(part)) : undefined
    if (complaint !== undefined) return [certain(complaint)]
    if (aloneInMessage.test(whole)) return [sentences[at]?.isShouted ? certain(whole) : uncertain(whole)]
    const clause = parts.find((part) => alone.test(part))
    if (clause === undefined) return []
    return [language.isLimited.test(text) || language.isReport.test(text) ? uncertain(clause) : certain(clause)]
  })
}

const inLanguage = (sentences: ReadonlyArray<PlainSentence>, language: Reader): OptOut | undefined => {
  const plain = sentences.map(({ spaced, unspaced }, at) =>
    language.plain(language.spaced ? (at === 0 ? opening(spaced) : spaced) : unspaced)
  )
  const texts = plain.map(({ text }) => text)
  const read = plain.map((words) => cuesIn(words, language))
  const asked = read.flatMap((one) => one.found)
  const found = clearest([...aloneIn(sentences, texts, language, asked.length > 0), ...asked])
  const isInvited = found !== undefined && read.some(({ rest }) => language.isInviting.test(rest))
  return isInvited ? uncertain(found.words) : found
}

const inText = (text: string): OptOut | undefined => {
  const sentences = plainSentences(text)
  return clearest(readersOf(text, sentences).flatMap((language) => inLanguage(sentences, language) ?? []))
}

/** The opt-out in a message; undefined without one. */
export const readOptOut = (text: string): OptOut | undefined => {
  const { body, signature } = ownWords(text.slice(0, maxLength))
  const said = inText(body)
  if (said?.certainty === "certain") return said
  const signed = inText(signature)
  return said ?? (signed && uncertain(signed.words))
}
