/** The letters that languages are written in. */

/** Tags of languages where any noun has a capital, so that names do not stand out. */
export const nounCapitals = /^(?:de|lb|nds)(?:-|$)/i

/** Scripts of several parts, or without letters of their own, as ranges of letters. */
const parts: Readonly<Record<string, string>> = {
  Jpan: String.raw`\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}`,
  Kore: String.raw`\p{sc=Hang}\p{sc=Hani}`,
  Hans: String.raw`\p{sc=Hani}`,
  Hant: String.raw`\p{sc=Hani}`
}

/** Shorter texts tell nothing, in letters. */
const minLetters = 12

const lettersOf = (language: string): RegExp | undefined => {
  try {
    const { script = "" } = new Intl.Locale(language).maximize()
    return new RegExp(`[${parts[script] ?? String.raw`\p{sc=${script}}`}]`, "gu")
  } catch {
    return undefined
  }
}

/** Whether most letters of a text are not those of a language, by its tag. False when nobody can tell. */
export const hasOtherLetters = (text: string, language: string): boolean => {
  const letters = lettersOf(language)
  const all = text.match(/\p{L}/gu)?.length ?? 0
  return letters !== undefined && all >= minLetters && (text.match(letters)?.length ?? 0) * 2 < all
}
