/**
 * The cues of a language, and the small notation that they are written in.
 *
 * A cue is a row of words. `(a|b c)` is one of these, `[a|b]` may be missing, `*` ends a word in any way, `~` stands for up to
 * four words, and `$` for the end of a clause. Case, diacritics and apostrophes do not matter, and neither do the pleases and
 * fillers of the language, wherever they stand.
 */
import { fold } from "./plainWords.ts"

/**
 * What a clause speaks of, in any order: the verbs that end something, that delete and that write, in the forms of requests, the
 * reader, what is written, and so on. `mine` is what can be deleted of a person, `more` goes with "not", and `reversal` makes the
 * opposite of what is denied: "do not forget to write".
 */
type Concept =
  | "stop"
  | "remove"
  | "contact"
  | "me"
  | "mine"
  | "list"
  | "mails"
  | "more"
  | "want"
  | "receive"
  | "reversal"

export interface OptOutLanguage {
  readonly script: "latin" | "cyrillic" | "arabic" | "cjk"
  /** Ask for it as a whole message, sentence or clause. */
  readonly alone: ReadonlyArray<string>
  /** Ask for it as a whole message only: they mean other things as well. */
  readonly aloneInMessage: ReadonlyArray<string>
  /** Imperatives. They count at the beginning of a clause, after what `leadIns` lists. */
  readonly commands: ReadonlyArray<string>
  /** Sentences with a subject of their own. They count anywhere. */
  readonly statements: ReadonlyArray<string>
  /** What `asksInAnyOrder` looks for, each a cue. */
  readonly concepts: Readonly<Record<Concept, string>>
  /** What a person has to decide. */
  readonly doubts: ReadonlyArray<string>
  /** Before a command: the courtesies, and what else makes it a request. */
  readonly leadIns: ReadonlyArray<string>
  /** Words that make a request of what follows, whatever comes before them. */
  readonly pleases: ReadonlyArray<string>
  /** Words that change nothing, such as "immediately": cues are looked for without them. */
  readonly fillers: ReadonlyArray<string>
  /** Turn a sentence around: `~` does not reach across them. */
  readonly denials: ReadonlyArray<string>
  /** Begin a clause without a comma. */
  readonly joins: ReadonlyArray<string>
  /** Right before a cue: they negate it. */
  readonly negations: ReadonlyArray<string>
  /** Before a cue in its clause: it is asked, imagined, or somebody else's. */
  readonly others: ReadonlyArray<string>
  /** Before a cue in its sentence: somebody else may have said it. */
  readonly reports: ReadonlyArray<string>
  /** In the sentence of a cue: it does not hold always, everywhere or unconditionally. */
  readonly limits: ReadonlyArray<string>
  /** Anywhere in the message: the person wants to be written to, later or elsewhere. */
  readonly invitations: ReadonlyArray<string>
}

/** Words without fillers and pleases; `pleaded` is where the pleases were. */
export interface PlainText {
  readonly text: string
  readonly pleaded: ReadonlySet<number>
}

/** Stands for a please for as long as one is looked for. */
const pleaseMark = "·"

const escaped = (text: string): string => text.replaceAll(/[.+?^{}\\]/g, "\\$&")

const source = (cue: string, spaced: boolean, denials: string): string => {
  const gap = spaced ? ",? " : ""
  const words = (text: string) =>
    escaped(text)
      .replaceAll("*", spaced ? "[^ ,]*" : "[^,]*")
      .replaceAll(" ", gap)
  return (cue.match(/\[[^\]]*\]|\([^)]*\)|[^\s[\]()]+/gu) ?? [])
    .map((token) => {
      if (token === "~") return spaced ? `(?:(?!${denials})[^ ,]+ ){0,4}` : "[^,]{0,8}"
      const end = spaced ? "(?:(?<=, )|$)" : "(?=,|$)"
      if (token === "$") return end
      const inner = token.replaceAll(/^[[(]|[\])]$/g, "")
      const one = `(?:${words(inner.replace("|$", ""))})${gap}`
      if (token.startsWith("[")) return `(?:${one})?`
      return inner.endsWith("|$") ? `(?:${one}|${end})` : one
    })
    .join("")
}

const alternatives = (cues: ReadonlyArray<string>, spaced: boolean, denials = "(?!)"): string =>
  cues.length === 0 ? "(?!)" : `(?:${cues.map((cue) => source(fold(cue), spaced, denials)).join("|")})`

/** Begin what is wished. */
const subordinate = /(?<=^| )(you to|that|que|che|dat|dass|zeby\p{L}*|aby\p{L}*|чтобы|أن) /gu

/** A language, ready to be looked for in what `plainSentences` returns. */
export interface CompiledLanguage {
  readonly script: OptOutLanguage["script"]
  readonly spaced: boolean
  readonly alone: RegExp
  readonly aloneInMessage: RegExp
  readonly cues: ReadonlyArray<{ readonly kind: "command" | "statement" | "doubt"; readonly pattern: RegExp }>
  /** Whether a clause asks for it with its concepts, in any order. */
  readonly asksInAnyOrder: (clause: string) => boolean
  /** Whether what is ended or deleted is not wanted to be: "I do not want that you stop". */
  readonly isUnwanted: (before: string, words: string) => boolean
  readonly isLedIn: RegExp
  readonly isPleaded: RegExp
  readonly plain: (text: string) => PlainText
  /** The words without lead-ins either. */
  readonly bare: (text: string) => string
  readonly join: RegExp
  readonly isNegated: RegExp
  readonly isOther: RegExp
  readonly isReport: RegExp
  readonly isLimited: RegExp
  readonly isInviting: RegExp
}

export const compile = (language: OptOutLanguage): CompiledLanguage => {
  const spaced = language.script !== "cjk"
  const end = spaced ? " " : ""
  // In Arabic, "and" and "so" are written together with the word that they precede.
  const start = `${spaced ? "(?<=^| )" : ""}${language.script === "arabic" ? "[وف]?" : ""}`
  const denials = alternatives(language.denials, spaced)
  const any = (cues: ReadonlyArray<string>, flags = "u") =>
    new RegExp(start + alternatives(cues, spaced, denials), flags)
  const cues = (kind: "command" | "statement" | "doubt", list: ReadonlyArray<string>) =>
    list.length === 0 ? [] : [{ kind, pattern: any(list, "gu") }]
  const whole = (list: ReadonlyArray<string>) => new RegExp(`^${alternatives(list, spaced)}$`, "u")
  const { leadIns, pleases } = language
  const longestFirst = (list: ReadonlyArray<string>) => list.toSorted((a, b) => b.length - a.length)
  const filler = any(longestFirst(language.fillers), "gu")
  const please = any(longestFirst(pleases), "gu")
  const courtesy = any([...leadIns, ...pleases], "gu")
  const isDenied = any(language.denials)
  const concepts = Object.entries(language.concepts).map(([concept, cue]) => [concept, any([cue])] as const)
  const isWithin = (words: number, clause: string) => clause.trim().split(spaced ? " " : /.{2}/u).length <= words
  const asksInAnyOrder = (clause: string): boolean => {
    const said = new Set<string>(concepts.flatMap(([concept, pattern]) => (pattern.test(clause) ? [concept] : [])))
    const says = (...all: ReadonlyArray<Concept>) => all.every((concept) => said.has(concept))
    if (says("reversal")) return false
    if (isDenied.test(clause)) {
      if (says("stop") || says("remove")) return false
      return (
        (isWithin(3, clause) && says("mails", "more") && !says("receive")) ||
        says("contact", "me", "more") ||
        (says("want") && (says("receive", "mails") || says("receive", "more") || says("mails", "more")))
      )
    }
    const isAbout = says("contact") || says("mails")
    return (
      (says("stop") && isAbout && (says("me") || says("more") || isWithin(5, clause))) ||
      says("remove", "mine") ||
      says("remove", "me", "list")
    )
  }
  const patterns = new Map<string, RegExp>(concepts)
  const join = any(language.joins, "gu")
  const isUnwanted = (before: string, words: string): boolean => {
    const says = (concept: Concept, text: string) => patterns.get(concept)?.test(text) === true
    if (!says("stop", words) && !says("remove", words)) return false
    const link = [...`${before}${words}`.matchAll(subordinate)].findLast(({ index }) => index <= before.length)
    if (link === undefined || before.slice(link.index).includes(",")) return false
    const wish =
      before
        .slice(0, link.index)
        .replaceAll(/[, ]+$/g, "")
        .replaceAll(join, ",")
        .split(",")
        .at(-1) ?? ""
    return isDenied.test(`${wish.trim()} `) && says("want", `${wish.trim()} `)
  }
  const without = (text: string, words: RegExp, mark: string) =>
    text.replaceAll(words, (found) => (found.endsWith(", ") ? ", " : mark))
  return {
    script: language.script,
    spaced,
    alone: whole(language.alone),
    aloneInMessage: whole(language.aloneInMessage),
    cues: [
      ...cues("command", language.commands),
      ...cues("statement", language.statements),
      ...cues("doubt", language.doubts)
    ],
    asksInAnyOrder,
    isUnwanted,
    isLedIn: new RegExp(`^${alternatives([...leadIns, ...pleases], spaced)}*$`, "u"),
    isPleaded: new RegExp(`${start}${alternatives(pleases, spaced)}$`, "u"),
    plain: (text) => {
      const brief = without(text, filler, "")
      const parts = (spaced ? without(brief, please, pleaseMark) : brief)
        .replaceAll(/ *(?:, *)+/g, ", ")
        .replaceAll(/^, |·+(?=·|, |$)/g, "")
        .split(pleaseMark)
      const ends = parts.map((_, at) => parts.slice(0, at + 1).join("").length)
      return { text: parts.join(""), pleaded: new Set(ends.slice(0, -1)) }
    },
    bare: (text) => {
      const words = `${text.replaceAll(/[, ]+$/g, "")}${end}`.replaceAll(courtesy, "").replaceAll(/^[, ]+|[, ]+$/g, "")
      return words === "" ? "" : `${words}${end}`
    },
    join,
    isNegated: new RegExp(`${start}${alternatives(language.negations, spaced)}$`, "u"),
    isOther: any(language.others),
    isReport: any(language.reports),
    isLimited: any(language.limits),
    isInviting: any(language.invitations)
  }
}
