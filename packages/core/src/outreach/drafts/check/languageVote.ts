/**
 * Which language a text is written in, by a vote of its commonest words, or by its script.
 *
 * A vote is only as good as its voters: a short text, or one in a language without a list here, has no answer.
 */

const words: Readonly<Record<string, string>> = {
  en: "the and you your for with that this have are how would our what from been will can about was not but they their which when more who",
  fr: "le la les des une vous votre vos nous est pour avec dans sur qui que pas mais plus cette ces aux notre nos je et être avez",
  de: "der die das und sie ist nicht mit für auf ein eine einen ihr ihre ihnen wir haben wie von zu auch bei oder aber ich sich werden",
  es: "el los las una que con para por su usted como más pero este esta estos nos nuestro y es del al se lo muy cuando",
  it: "il lo gli una che con per non sono della delle nel nella suo questo questa come più anche ma vi è di ho alla dei",
  pt: "os as um uma que com para por não você seu sua como mais mas este esta nosso e é do da dos das em no na ao",
  nl: "de het een en van voor met dat niet zijn op aan te u uw je jouw ik wij ons hebben hoe maar ook bij naar of",
  sv: "och att det som en ett är på för med av den inte vi ni er har om jag till kan hur från men",
  da: "og at det som en et er på for med af den ikke vi dig har om jeg til kan hvordan fra men",
  no: "og at det som en et er på for med av den ikke vi deg har om jeg til kan hvordan fra men",
  pl: "i w na z do nie się jest że jak to dla o ale czy są przez pan pani państwa nasz"
}

/** From a word to the languages that use it. */
const voters: ReadonlyMap<string, ReadonlyArray<string>> = Object.entries(words).reduce((map, [language, list]) => {
  for (const word of new Set(list.split(" "))) map.set(word, [...(map.get(word) ?? []), language])
  return map
}, new Map<string, Array<string>>())

const scripts: ReadonlyArray<readonly [RegExp, string, ReadonlyArray<string>]> = [
  [/\p{Script=Cyrillic}/gu, "Cyrillic", ["ru", "uk", "bg", "sr", "mk", "be"]],
  [/\p{Script=Greek}/gu, "Greek", ["el"]],
  [/\p{Script=Hangul}/gu, "Korean", ["ko"]],
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, "Japanese", ["ja"]],
  [/\p{Script=Han}/gu, "Chinese", ["zh", "ja", "yue"]],
  [/\p{Script=Arabic}/gu, "Arabic", ["ar", "fa", "ur"]],
  [/\p{Script=Hebrew}/gu, "Hebrew", ["he", "yi"]],
  [/\p{Script=Devanagari}/gu, "Devanagari", ["hi", "mr", "ne"]],
  [/\p{Script=Thai}/gu, "Thai", ["th"]],
  [/\p{Script=Latin}/gu, "Latin", Object.keys(words)]
]

/** Fewer votes decide nothing. */
const minVotes = 3

/** How many letters of one script decide. */
const minLetters = 12

/** What a vote found: a language by its words, or the languages of a script. */
interface LanguageGuess {
  /** What to call it: a language tag, or a script. */
  readonly name: string
  readonly languages: ReadonlyArray<string>
}

const byScript = (text: string): (typeof scripts)[number] | undefined => {
  const counts = scripts.map((script) => ({ script, count: text.match(script[0])?.length ?? 0 }))
  const all = counts.reduce((sum, { count }) => sum + count, 0)
  return counts.find(({ count }) => count >= minLetters && count * 2 > all)?.script
}

const byWords = (text: string): string | undefined => {
  const votes = new Map<string, number>()
  for (const [word] of text
    .toLowerCase()
    .normalize("NFC")
    .matchAll(/\p{L}+/gu)) {
    for (const language of voters.get(word) ?? []) votes.set(language, (votes.get(language) ?? 0) + 1)
  }
  const [first, second] = [...votes].toSorted((a, b) => b[1] - a[1])
  if (first === undefined || first[1] < minVotes) return undefined
  // Related languages share words: a narrow lead is none.
  return second !== undefined && second[1] * 1.5 > first[1] ? undefined : first[0]
}

/** The language of a text; undefined when there are too few votes or no clear winner. */
export const guessLanguage = (text: string): LanguageGuess | undefined => {
  const script = byScript(text)
  if (script === undefined) return undefined
  const [, name, languages] = script
  if (name !== "Latin") return { name, languages }
  const language = byWords(text)
  return language === undefined ? undefined : { name: language, languages: [language] }
}

/** The language that a tag such as `fr-FR` begins with. */
export const languageOf = (tag: string): string => tag.toLowerCase().split("-")[0] ?? ""

const latin = new Set(Object.keys(words))
const scripted = new Set(scripts.flatMap(([, name, languages]) => (name === "Latin" ? [] : languages)))

/** Whether a text is clearly not in the language of a tag; undefined when it is, or when nobody can tell. */
export const otherLanguage = (text: string, tag: string): LanguageGuess | undefined => {
  const wanted = languageOf(tag)
  const guess = guessLanguage(text)
  if (guess === undefined || guess.languages.includes(wanted)) return undefined
  // Of a language that is neither listed nor has a script of its own nothing is known.
  const isKnown = latin.has(wanted) || scripted.has(wanted)
  if (!isKnown || (wanted === "no" && guess.name === "da") || (wanted === "da" && guess.name === "no")) return undefined
  return guess
}
