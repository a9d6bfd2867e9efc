/** Whom a message greets, and whether that is the person it goes to. */

const greetings = [
  "hi",
  "hello",
  "hey",
  "dear",
  "good morning",
  "good afternoon",
  "good evening",
  "greetings",
  "bonjour",
  "bonsoir",
  "salut",
  "chère",
  "cher",
  "hallo",
  "guten tag",
  "guten morgen",
  "servus",
  "moin",
  "liebe",
  "lieber",
  "sehr geehrte",
  "sehr geehrter",
  "hola",
  "buenos días",
  "buenas tardes",
  "estimada",
  "estimado",
  "ciao",
  "buongiorno",
  "gentile",
  "olá",
  "oi",
  "bom dia",
  "prezado",
  "prezada",
  "hej",
  "hoi",
  "beste",
  "geachte",
  "cześć",
  "dzień dobry"
]

const titles =
  "(?:mr|mrs|ms|miss|mx|dr|prof|sir|madam|herr|frau|monsieur|madame|mme|m|señor|señora|sr|sra|signor|signora|sig|pan|pani)"

const longestFirst = greetings.toSorted((a, b) => b.length - a.length).join("|")
const opening = new RegExp(`^(?:${longestFirst})(?![\\p{L}\\p{N}])[ \\t,]*`, "iu")
const title = new RegExp(`^${titles}(?![\\p{L}\\p{N}])\\.?[ \\t]+`, "iu")

/** One to three words with a capital, at the start. */
const name = /^(?:\p{Lu}[\p{L}\p{M}'’.-]{0,30})(?:[ \t]\p{Lu}[\p{L}\p{M}'’.-]{0,30}){0,2}/u

/** Words with a capital that greet nobody by name. */
const nobody = new Set([
  "there",
  "all",
  "everyone",
  "everybody",
  "team",
  "friend",
  "sir",
  "madam",
  "sirs",
  "colleague",
  "colleagues",
  "folks",
  "again",
  "from",
  "it",
  "its",
  "i",
  "we",
  "how",
  "what",
  "just",
  "thanks",
  "thank",
  "my",
  "hope",
  "quick",
  "great",
  "à",
  "tous",
  "zusammen",
  "ich",
  "wir",
  "damen",
  "und",
  "equipo",
  "a"
])

const fold = (text: string): string => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase()

const partsOf = (text: string): ReadonlyArray<string> => fold(text).match(/[\p{L}\p{N}]+/gu) ?? []

/** The name that the first line greets, without title; undefined when it greets nobody by name. */
export const greetedName = (text: string): string | undefined => {
  const start = text.trimStart().slice(0, 200)
  const greeted = opening.exec(start)
  if (greeted === null) return undefined
  const rest = start.slice(greeted[0].length).replace(title, "")
  const found = name.exec(rest)?.[0].replace(/[.'’-]+$/u, "")
  if (found === undefined) return undefined
  const words = found.split(/[ \t]+/)
  const end = words.findIndex((word) => nobody.has(fold(word)))
  const kept = end === -1 ? words : words.slice(0, end)
  return kept.length === 0 ? undefined : kept.join(" ")
}

/** Short forms that do not begin as the name does. */
const shortForms: Readonly<Record<string, string>> = {
  bob: "robert",
  bobby: "robert",
  bill: "william",
  billy: "william",
  liam: "william",
  mike: "michael",
  liz: "elizabeth",
  beth: "elizabeth",
  betty: "elizabeth",
  jim: "james",
  jack: "john",
  tony: "anthony",
  ted: "edward",
  dick: "richard",
  peggy: "margaret",
  meg: "margaret",
  harry: "henry",
  hans: "johannes",
  pepe: "jose",
  paco: "francisco"
}

/** The part that a pet form has in common with the name: `dan` of Danny, `kat` of Kate. */
const stemOf = (part: string): string => part.replace(/(?:ie|y|e)$/u, "").replace(/(\p{L})\1$/u, "$1")

const isShortFor = (short: string, long: string): boolean => {
  if (shortForms[short] === long) return true
  if (short.length >= long.length) return false
  return long.startsWith(short) || (stemOf(short).length >= 3 && long.startsWith(stemOf(short)))
}

/**
 * Whether a greeted name can be that of a person: it shares a part with one of the person's names, a short form such as Rob
 * for Robert or an initial included. True when the names are written in different scripts, as nobody can tell then.
 */
export const isNameOf = (greeted: string, names: ReadonlyArray<string>): boolean => {
  const theirs = names.flatMap(partsOf)
  const given = partsOf(greeted)
  const isLatin = (part: string) => /\p{Script=Latin}/u.test(part)
  if (theirs.length === 0 || given.length === 0 || theirs.some(isLatin) !== given.some(isLatin)) return true
  return given.some((part) =>
    theirs.some((known) => part === known || isShortFor(part, known) || isShortFor(known, part))
  )
}
