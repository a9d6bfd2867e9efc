/** Texts as cues are looked for in them. */

// Letters that Unicode normalization leaves alone, and traditional characters that cues spell in the simplified way.
const plainLetters: ReadonlyMap<string, string> = new Map(
  [
    ..."łløoßsæaœođdıiىيةه".matchAll(/(.)(.)/gu),
    ..."請请聯联絡络繫系訂订閱阅給给發发傳传訊讯電电郵邮刪删從从單单騷骚擾扰資资個个們们說说這这為为終终會会來来對对過过別别樣样還还與与讓让將将無无時时後后見见號号碼码當当開开關关買买賣卖錄录這这係系種种應应聽听話话業业務务銷销廣广動动據据庫库簡简濫滥謝谢讀读復复麼么邊边實实經经嗎吗夠够沒没該该屬属".matchAll(
      /(.)(.)/gu
    )
  ].map(([, from = "", to = ""]) => [from, to])
)

/** In lower case, without diacritics, apostrophes, variants of one letter, and letters that long words double by mistake. */
export const fold = (text: string): string =>
  text
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/[\p{M}'’‘`´ʼـ\u200b-\u200f\u2060\ufeff]/gu, "")
    .replaceAll(/\P{ASCII}/gu, (letter) => plainLetters.get(letter) ?? letter)
    .replaceAll(/\p{L}{5,}/gu, (word) => word.replaceAll(/([a-zа-я])\1+/gu, "$1"))

export interface PlainSentence {
  /** The words and commas: "stop, please ". An e-mail address is "@". */
  readonly spaced: string
  /** The same without spaces, for scripts that use none. */
  readonly unspaced: string
  /** Written in capitals only. */
  readonly isShouted: boolean
}

const mark = /[!?;:…。！？；：؟؛]+|\.+(?=\s|$)|\n+/u

/** Lines that were broken only because they were long are one. */
const unwrapped = (text: string): string => text.replaceAll(/(?<=[^\n]{50}[\p{Ll},])\n(?=\p{Ll})/gu, " ")

const plainSentence = (text: string): PlainSentence => {
  const words = fold(text.replaceAll(/[^\s@]{1,64}@[^\s@,;]+/gu, " @ "))
    .replaceAll(/\s+[-–—]+\s+|[,،、，()[\]]/gu, " , ")
    .replaceAll(/[^\p{L}\p{N},@]+/gu, " ")
    .replaceAll(/ ?(?:, ?)+/gu, ", ")
    .replaceAll(/^[, ]+|[, ]+$/gu, "")
  return {
    spaced: words === "" ? "" : `${words} `,
    unspaced: words.replaceAll(" ", ""),
    isShouted: text === text.toUpperCase() && text !== text.toLowerCase()
  }
}

/** More sentences are not read, and longer ones in parts. */
const maxSentences = 300
const maxSentence = /.{1,1000}(?=\s|$)|.{1,1000}/gsu

/** The sentences of a text that have words. */
export const plainSentences = (text: string): ReadonlyArray<PlainSentence> =>
  unwrapped(text.replaceAll("\r\n", "\n"))
    .split(mark)
    .flatMap((sentence) => sentence.match(maxSentence) ?? [])
    .map(plainSentence)
    .filter(({ unspaced }) => unspaced !== "")
    .slice(0, maxSentences)
