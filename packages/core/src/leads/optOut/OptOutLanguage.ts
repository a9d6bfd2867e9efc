/**
 * The cues of a language, and the small notation that they are written in.
 *
 * A cue is a row of words. `(a|b c)` is one of these, `[a|b]` may be missing, `*` ends a word in any way, `~` stands for up to
 * four words, and `$` for the end of a clause. Case, diacritics and apostrophes do not matter.
 */
import { fold } from "./plainWords.ts"

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
  /** What a person has to decide. */
  readonly doubts: ReadonlyArray<string>
  /** Before a command: the courtesies, and what else makes it a request. */
  readonly leadIns: ReadonlyArray<string>
  /** Words that make a request of what follows, whatever comes before them. */
  readonly pleases: ReadonlyArray<string>
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

const escaped = (text: string): string => text.replaceAll(/[.+?^{}\\]/g, "\\$&")

const source = (cue: string, spaced: boolean): string => {
  const gap = spaced ? ",? " : ""
  const words = (text: string) =>
    escaped(text)
      .replaceAll("*", spaced ? "[^ ,]*" : "[^,]*")
      .replaceAll(" ", gap)
  return (cue.match(/\[[^\]]*\]|\([^)]*\)|[^\s[\]()]+/gu) ?? [])
    .map((token) => {
      if (token === "~") return spaced ? "(?:[^ ]+ ){0,4}" : "[^,]{0,8}"
      if (token === "$") return spaced ? "(?:(?<=, )|$)" : "(?=,|$)"
      const inner = words(token.replaceAll(/^[[(]|[\])]$/g, ""))
      return token.startsWith("[") ? `(?:(?:${inner})${gap})?` : `(?:${inner})${gap}`
    })
    .join("")
}

const alternatives = (cues: ReadonlyArray<string>, spaced: boolean): string =>
  cues.length === 0 ? "(?!)" : `(?:${cues.map((cue) => source(fold(cue), spaced)).join("|")})`

/** A language, ready to be looked for in what `plainSentences` returns. */
export interface CompiledLanguage {
  readonly script: OptOutLanguage["script"]
  readonly spaced: boolean
  readonly alone: ReadonlySet<string>
  readonly aloneInMessage: ReadonlySet<string>
  readonly cues: ReadonlyArray<{ readonly kind: "command" | "statement" | "doubt"; readonly pattern: RegExp }>
  readonly isLedIn: RegExp
  readonly isPleaded: RegExp
  /** All lead-ins and pleases, wherever they stand. */
  readonly courtesies: RegExp
  readonly join: RegExp
  readonly isNegated: RegExp
  readonly isOther: RegExp
  readonly isReport: RegExp
  readonly isLimited: RegExp
  readonly isInviting: RegExp
}

export const compile = (language: OptOutLanguage): CompiledLanguage => {
  const spaced = language.script !== "cjk"
  // In Arabic, "and" and "so" are written together with the word that they precede.
  const start = `${spaced ? "(?<=^| )" : ""}${language.script === "arabic" ? "[وف]?" : ""}`
  const any = (cues: ReadonlyArray<string>, flags = "u") => new RegExp(start + alternatives(cues, spaced), flags)
  const cues = (kind: "command" | "statement" | "doubt", list: ReadonlyArray<string>) =>
    list.length === 0 ? [] : [{ kind, pattern: any(list, "gu") }]
  const { leadIns, pleases } = language
  return {
    script: language.script,
    spaced,
    alone: new Set(language.alone.map(fold)),
    aloneInMessage: new Set(language.aloneInMessage.map(fold)),
    cues: [
      ...cues("command", language.commands),
      ...cues("statement", language.statements),
      ...cues("doubt", language.doubts)
    ],
    isLedIn: new RegExp(`^${alternatives([...leadIns, ...pleases], spaced)}*$`, "u"),
    isPleaded: new RegExp(`${start}${alternatives(pleases, spaced)}$`, "u"),
    courtesies: any([...leadIns, ...pleases], "gu"),
    join: any(language.joins, "gu"),
    isNegated: new RegExp(`${start}${alternatives(language.negations, spaced)}$`, "u"),
    isOther: any(language.others),
    isReport: any(language.reports),
    isLimited: any(language.limits),
    isInviting: any(language.invitations)
  }
}
