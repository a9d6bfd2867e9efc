/**
 * The cues of a language, as phrases (`phraseNotation.ts`). Case, diacritics and apostrophes do not matter, and neither do the
 * pleases and fillers of the language, wherever they stand.
 */
import type { Finder, PhraseIndex, Phrases } from "./PhraseIndex.ts"
import { oneOf, sourceOf } from "./phraseNotation.ts"
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

/** Begin what is wished. */
const subordinate = /(?<=^| )(you to|that|que|che|dat|dass|zeby\p{L}*|aby\p{L}*|чтобы|أن) /gu

/** A language, ready to be looked for in certain texts. */
export interface Reader {
  readonly script: OptOutLanguage["script"]
  readonly spaced: boolean
  readonly alone: Finder
  readonly aloneInMessage: Finder
  readonly cues: ReadonlyArray<{ readonly kind: "command" | "statement" | "doubt"; readonly finder: Finder }>
  /** Whether a clause asks for it with its concepts, in any order. */
  readonly asksInAnyOrder: (clause: string) => boolean
  /** Whether what is ended or deleted is not wanted to be: "I do not want that you stop". */
  readonly isUnwanted: (before: string, words: string) => boolean
  /** Whether nothing but lead-ins stands before a cue in its clause. */
  readonly isLedIn: (clause: string) => boolean
  readonly isPleaded: Finder
  readonly plain: (text: string) => PlainText
  /** The words without lead-ins either. */
  readonly bare: (text: string) => string
  readonly join: Finder
  readonly isNegated: Finder
  readonly isOther: Finder
  readonly isReport: Finder
  readonly isLimited: Finder
  readonly isInviting: Finder
}

/** Makes a reader from what finds phrases in texts; undefined if these cannot ask for anything in the language. */
type MakeReader = (find: (phrases: Phrases) => Finder) => Reader | undefined

/** Nothing is asked for in any order without one of these. */
const leading = ["stop", "remove", "contact", "mails", "want"] as const

/** Puts the phrases of a language into an index. */
export const indexed = (language: OptOutLanguage, index: PhraseIndex): MakeReader => {
  const { leadIns, pleases, script } = language
  const spaced = script !== "cjk"
  const end = spaced ? " " : ""
  // In Arabic, "and" and "so" are written together with the word that they precede.
  const before = `${spaced ? "(?<=^| )" : ""}${script === "arabic" ? "[وف]?" : ""}`
  const denials = oneOf(language.denials.map((phrase) => sourceOf(fold(phrase), spaced)))
  const any = (phrases: ReadonlyArray<string>) => index.add(phrases, { before, denials })
  const whole = (phrases: ReadonlyArray<string>) => index.add(phrases, { before: "^", after: "$" })
  const last = (phrases: ReadonlyArray<string>) => index.add(phrases, { before, after: "$" })
  const longestFirst = (phrases: ReadonlyArray<string>) => phrases.toSorted((a, b) => b.length - a.length)
  const lists = {
    alone: whole(language.alone),
    aloneInMessage: whole(language.aloneInMessage),
    command: any(language.commands),
    statement: any(language.statements),
    doubt: any(language.doubts),
    filler: any(longestFirst(language.fillers)),
    please: any(longestFirst(pleases)),
    courtesy: any([...leadIns, ...pleases]),
    leadIn: index.add([...leadIns, ...pleases], { before: "^" }),
    pleaded: last(pleases),
    denial: any(language.denials),
    join: any(language.joins),
    negation: last(language.negations),
    other: any(language.others),
    report: any(language.reports),
    limit: any(language.limits),
    invitation: any(language.invitations)
  }
  const concepts = new Map(Object.entries(language.concepts).map(([concept, phrase]) => [concept, any([phrase])]))

  return (find) => {
    const ofConcept = new Map([...concepts].map(([concept, phrases]) => [concept, find(phrases)]))
    const speaksOf = (concept: Concept, text: string) => ofConcept.get(concept)?.test(text) === true
    const alone = find(lists.alone)
    const aloneInMessage = find(lists.aloneInMessage)
    const cues = (["command", "statement", "doubt"] as const).map((kind) => ({ kind, finder: find(lists[kind]) }))
    const asking = [
      alone,
      aloneInMessage,
      ...cues.map(({ finder }) => finder),
      ...leading.map((one) => ofConcept.get(one))
    ]
    if (!asking.some((finder) => finder?.isPossible)) return undefined

    const isDenied = find(lists.denial)
    const join = find(lists.join)
    const [filler, please, courtesy] = [find(lists.filler), find(lists.please), find(lists.courtesy)]
    const isWithin = (words: number, clause: string) => clause.trim().split(spaced ? " " : /.{2}/u).length <= words
    const asksInAnyOrder = (clause: string): boolean => {
      const said = new Set([...ofConcept].flatMap(([concept, finder]) => (finder.test(clause) ? [concept] : [])))
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
    const isUnwanted = (earlier: string, words: string): boolean => {
      if (!speaksOf("stop", words) && !speaksOf("remove", words)) return false
      const link = [...`${earlier}${words}`.matchAll(subordinate)].findLast(({ index }) => index <= earlier.length)
      if (link === undefined || earlier.slice(link.index).includes(",")) return false
      const wish = join
        .replaceAll(earlier.slice(0, link.index).replaceAll(/[, ]+$/g, ""), () => ",")
        .split(",")
        .at(-1)
      const wished = `${(wish ?? "").trim()} `
      return isDenied.test(wished) && speaksOf("want", wished)
    }
    let ledIn: RegExp | undefined
    const without = (text: string, words: Finder, mark: string) =>
      words.replaceAll(text, (found) => (found.endsWith(", ") ? ", " : mark))
    return {
      script,
      spaced,
      alone,
      aloneInMessage,
      cues,
      asksInAnyOrder,
      isUnwanted,
      isLedIn: (clause) => {
        ledIn ??= new RegExp(`^${find(lists.leadIn).source()}*$`, "u")
        return ledIn.test(clause)
      },
      isPleaded: find(lists.pleaded),
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
        const words = courtesy
          .replaceAll(`${text.replaceAll(/[, ]+$/g, "")}${end}`, () => "")
          .replaceAll(/^[, ]+|[, ]+$/g, "")
        return words === "" ? "" : `${words}${end}`
      },
      join,
      isNegated: find(lists.negation),
      isOther: find(lists.other),
      isReport: find(lists.report),
      isLimited: find(lists.limit),
      isInviting: find(lists.invitation)
    }
  }
}
