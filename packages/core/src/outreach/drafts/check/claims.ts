/**
 * Figures that a message claims, and whether what is known supports them.
 *
 * A figure is a percentage, a multiple, an amount of money, or a plain number. Years, clock times, minutes of a call, numbers
 * in addresses and in words such as B2B or Q3 are no claims. Number words count where a unit follows.
 */

/** What sort of figure, for how much it matters. */
type ClaimKind = "percentage" | "multiple" | "money" | "number"

/** One figure as it is written, and its value. */
interface Claim {
  readonly text: string
  readonly kind: ClaimKind
  readonly value: number
}

const numberWords: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  hundred: 100
}

const wordPattern = Object.keys(numberWords).join("|")
const digits = String.raw`\p{Nd}{1,12}(?:[.,'’ \u00a0\u202f]\p{Nd}{3}(?!\p{Nd})){0,4}(?:[.,]\p{Nd}{1,6})?`
const unit = "(?:hours?|days?|weeks?|months?|years?|customers?|clients?|companies|teams?|users?|people|times?|percent)"
const before = String.raw`(?<![\p{L}\p{N}_.,:/#@+-])(?<before>[$€£¥] ?)?`
const number = String.raw`(?:(?<number>${digits})|(?<word>${wordPattern})(?=[ -](?:more |fewer |full )?${unit}(?!\p{L})))`
const after = String.raw`(?<after> ?(?:%|‰)| percent| per cent| prozent| pour ?cent| ?[x×](?![\p{L}\p{N}])|-?fold| times| ?(?:€|\$|£)| ?(?:eur|usd|gbp|chf|k|m|mio|million|bn|billion)(?![\p{L}\p{N}]))?`
const tail = String.raw`(?<tail>[ -]?(?:min(?:ute)?s?|minuten|minutos|minuti|am|pm|uhr|h)(?![\p{L}\p{N}])|[:/]\p{Nd}|[\p{L}\p{N}_])?`
const counted = String.raw`(?=(?<unit>[ -](?:more |fewer |full )?${unit}(?!\p{L}))?)`
const figures = new RegExp(before + number + after + tail + counted, "giu")

/** A plain number up to this counts only before a unit: "2 questions" claims nothing. */
const smallest = 10

/** Web and e-mail addresses and telephone numbers. */
const addresses = /(?:https?:\/\/|www\.)[^\s]+|[^\s@]{1,64}@[^\s@]{1,255}|\+\p{Nd}[\p{Nd} ()/.-]{5,20}\p{Nd}/giu

const valueOf = (text: string): number => {
  const plain = text.replaceAll(/['’ \u00a0\u202f]/gu, "")
  // A mark before exactly three digits groups thousands; any other is the decimal one.
  const grouped = plain.replaceAll(/[.,](?=\d{3}(?!\d))/g, "")
  return Number(grouped.replace(",", "."))
}

const kindOf = (before: string, after: string): ClaimKind => {
  if (/%|‰|cent|prozent/i.test(after)) return "percentage"
  if (/^[x×]|fold| times/i.test(after)) return "multiple"
  return before !== "" || /[€$£]|eur|usd|gbp|chf/i.test(after) ? "money" : "number"
}

const scaleOf = (after: string): number => {
  if (/(?:^|\s)k$/i.test(after)) return 1_000
  if (/(?:^|\s)(?:m|mio|million)$/i.test(after)) return 1_000_000
  return /bn|billion/i.test(after) ? 1_000_000_000 : 1
}

const isYear = (value: number, text: string): boolean => /^\d{4}$/.test(text) && value >= 1900 && value < 2100

/** The figures of a text, in their order. Numbers of a list at the start of a line are none. */
export const claimsOf = (text: string): ReadonlyArray<Claim> => {
  const plain = text
    .replaceAll(addresses, (address) => " ".repeat(address.length))
    .replaceAll(/^[ \t]*\d{1,2}[.)](?=\s)/gmu, "")
  return Array.from(plain.matchAll(figures)).flatMap((match): ReadonlyArray<Claim> => {
    const [whole] = match
    const { after = "", before = "", number = "", tail = "", unit = "", word = "" } = match.groups ?? {}
    if (tail !== "") return []
    const base = number === "" ? (numberWords[word.toLowerCase()] ?? Number.NaN) : valueOf(number)
    const kind = kindOf(before, after)
    const value = base * scaleOf(after)
    if (!Number.isFinite(value)) return []
    if (kind === "number" && unit === "" && (value <= smallest || isYear(value, number))) return []
    return [{ text: whole.trim(), kind, value }]
  })
}

/** Every number of a text, however it is meant, number words included: what a claim may rest on. */
export const numbersOf = (text: string): ReadonlySet<number> => {
  const written = Array.from(text.matchAll(new RegExp(digits, "gu")), ([number]) => valueOf(number))
  const spelled = Array.from(text.toLowerCase().matchAll(/\p{L}+/gu), ([word]) => numberWords[word] ?? Number.NaN)
  const scaled = claimsOf(text).map(({ value }) => value)
  return new Set([...written, ...spelled, ...scaled].filter(Number.isFinite))
}
