/**
 * Finds phrases of many lists in texts.
 *
 * There are thousands, and few are in a text. An index knows a word of each that it cannot do without, so only phrases whose
 * word is in the text are looked for, and none is compiled before. (One expression for each list took a second of the first text.)
 */
import { keysOf, oneOf, requiredKeys, sourceOf } from "./phraseNotation.ts"
import { fold } from "./plainWords.ts"

/** How the phrases of a list are looked for. */
interface Manner {
  /** Sources of what stands before and after each. */
  readonly before: string
  readonly after?: string
  /** What `~` does not reach across. */
  readonly denials?: string
}

/** A list of phrases. Of those that are found in one place, the first of the list counts. */
export type Phrases = symbol

interface Phrase {
  readonly list: Phrases
  readonly text: string
  /** Where it stands in its list. */
  readonly place: number
  readonly manner: Manner
  pattern: RegExp | undefined
}

/** Finds the phrases of a list. */
export interface Finder {
  /** False if the texts cannot have any. */
  readonly isPossible: boolean
  readonly test: (text: string) => boolean
  /** All that do not overlap, from the left. */
  readonly all: (text: string) => ReadonlyArray<RegExpExecArray>
  readonly replaceAll: (text: string, by: (found: string) => string) => string
  /** The source of an expression for one of them, without what stands around it. */
  readonly source: () => string
}

export interface PhraseIndex {
  readonly add: (phrases: ReadonlyArray<string>, manner: Manner) => Phrases
  /** Finds phrases in texts that have no words but those of `texts`. */
  readonly in: (texts: ReadonlyArray<string>) => (phrases: Phrases) => Finder
}

const makeFinder = (phrases: ReadonlyArray<Phrase>, spaced: boolean): Finder => {
  const source = ({ manner, text }: Phrase) => sourceOf(text, spaced, manner.denials)
  const find = (phrase: Phrase, text: string, from: number): RegExpExecArray | null => {
    const { after = "", before } = phrase.manner
    phrase.pattern ??= new RegExp(`${before}(?:${source(phrase)})${after}`, "gu")
    phrase.pattern.lastIndex = from
    return phrase.pattern.exec(text)
  }
  const all = (text: string): ReadonlyArray<RegExpExecArray> => {
    const found: Array<RegExpExecArray> = []
    let ahead = phrases.map((phrase) => ({ phrase, match: find(phrase, text, 0) }))
    for (;;) {
      let first: RegExpExecArray | null = null
      for (const { match } of ahead) if (match !== null && (first === null || match.index < first.index)) first = match
      if (first === null) return found
      found.push(first)
      const end = first.index + Math.max(first[0].length, 1)
      ahead = ahead.map((one) =>
        one.match === null || one.match.index >= end ? one : { ...one, match: find(one.phrase, text, end) }
      )
    }
  }
  return {
    isPossible: phrases.length > 0,
    test: (text) => phrases.some((phrase) => find(phrase, text, 0) !== null),
    all,
    replaceAll: (text, by) => {
      const found = all(text)
      const ends = found.map(({ 0: words, index }) => index + words.length)
      const parts = found.map(({ 0: words, index }, at) => text.slice(ends[at - 1] ?? 0, index) + by(words))
      return parts.join("") + text.slice(ends.at(-1) ?? 0)
    },
    source: () => oneOf(phrases.map(source))
  }
}

/** An index without phrases, for texts with spaces or without. */
export const makeIndex = (spaced: boolean): PhraseIndex => {
  const byKey = new Map<string, Array<Phrase>>()
  const anywhere: Array<Phrase> = []
  const file = (phrase: Phrase): void => {
    const keys = requiredKeys(phrase.text, spaced)
    if (keys === undefined) anywhere.push(phrase)
    for (const key of new Set(keys)) {
      const same = byKey.get(key)
      if (same === undefined) byKey.set(key, [phrase])
      else same.push(phrase)
    }
  }
  return {
    add: (phrases, manner) => {
      const list = Symbol()
      phrases.forEach((text, place) => {
        file({ list, text: fold(text), place, manner, pattern: undefined })
      })
      return list
    },
    in: (texts) => {
      const possible = new Map<Phrases, Set<Phrase>>()
      const keys = keysOf(texts, spaced)
      for (const phrase of [...anywhere, ...[...keys].flatMap((key) => byKey.get(key) ?? [])]) {
        const known = possible.get(phrase.list)
        if (known === undefined) possible.set(phrase.list, new Set([phrase]))
        else known.add(phrase)
      }
      return (phrases) =>
        makeFinder(
          [...(possible.get(phrases) ?? [])].toSorted((a, b) => a.place - b.place),
          spaced
        )
    }
  }
}
