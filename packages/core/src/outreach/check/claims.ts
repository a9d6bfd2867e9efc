/**
 * Figures that a message claims, and whether what is known supports them.
 *
 * A figure is a percentage, a multiple, an amount of money, or a plain number, in digits. Years, clock times, minutes of a call,
 * numbers in addresses and in words such as B2B or Q3 are no claims.
 */

/** What sort of figure, for how much it matters. */
type ClaimKind = "percentage" | "multiple" | "money" | "number"

/** One figure as it is written, and its value. */
interface Claim {
  readonly text: string
  readonly kind: ClaimKind
  readonly value: number
}

const digits = String.raw`\p{Nd}{1,12}(?:[.,'’ \u00a0\u202f]\p{Nd}{3}(?!\p{Nd})){0,4}(?:[.,]\p{Nd}{1,6})?`
const before = String.raw`(?<![\p{L}\p{N}_.,:/#@+-])(?<before>[$€£¥] ?)?`
const after = String.raw`(?<after> ?[%‰]| ?[x×](?![\p{L}\p{N}])| ?[€$£]| ?(?:eur|usd|gbp|chf|k|m|mio|million|bn|billion)(?![\p{L}\p{N}]))?`
const tail = String.raw`(?<tail>[ -]?(?:min\p{L}{0,5}|am|pm|h)(?![\p{L}\p{N}])|[:/]\p{Nd}|[\p{L}\p{N}_])?`
const figures = new RegExp(`${before}(?<number>${digits})${after}${tail}`, "giu")

/** A plain number up to this claims nothing: "2 questions". */
const largestPlain = 10

/** Web and e-mail addresses and telephone numbers. */
const addresses = /(?:https?:\/\/|www\.)[^\s]+|[^\s@]{1,64}@[^\s@]{1,255}|\+\p{Nd}[\p{Nd} ()/.-]{5,20}\p{Nd}/giu

const valueOf = (text: string): number => {
  const plain = text.replaceAll(/['’ \u00a0\u202f]/gu, "")
  // A mark before exactly three digits groups thousands; any other is the decimal one.
  const grouped = plain.replaceAll(/[.,](?=\d{3}(?!\d))/g, "")
  return Number(grouped.replace(",", "."))
}

const kindOf = (before: string, after: string): ClaimKind => {
  if (/[%‰]/.test(after)) return "percentage"
  if (/[x×]/i.test(after)) return "multiple"
  return before !== "" || /[€$£]|eur|usd|gbp|chf/i.test(after) ? "money" : "number"
}

const scaleOf = (after: string): number => {
  if (/(?:^|\s)k$/i.test(after)) return 1_000
  if (/(?:^|\s)(?:m|mio|million)$/i.test(after)) return 1_000_000
  return /bn|billion/i.test(after) ? 1_000_000_000 : 1
}

const isYear = (value: number, text: string): boolean => /^\d{4}$/.test(text) && value >= 1900 && value < 2100

/** The figures of a text, in their order: plain numbers above `plainAbove` only. Numbers of a list at the start of a line are none. */
export const claimsOf = (text: string, plainAbove = largestPlain): ReadonlyArray<Claim> => {
  const plain = text
    .replaceAll(addresses, (address) => " ".repeat(address.length))
    .replaceAll(/^[ \t]*\d{1,2}[.)](?=\s)/gmu, "")
  return Array.from(plain.matchAll(figures)).flatMap((match): ReadonlyArray<Claim> => {
    const [whole] = match
    const { after = "", before = "", number = "", tail = "" } = match.groups ?? {}
    if (tail !== "") return []
    const kind = kindOf(before, after)
    const value = valueOf(number) * scaleOf(after)
    if (!Number.isFinite(value)) return []
    if (kind === "number" && (value <= plainAbove || isYear(value, number))) return []
    return [{ text: whole.trim(), kind, value }]
  })
}

/** Every number of a text, however it is meant: what a claim may rest on. */
export const numbersOf = (text: string): ReadonlySet<number> => {
  const written = Array.from(text.matchAll(new RegExp(digits, "gu")), ([number]) => valueOf(number))
  const scaled = claimsOf(text, 0).map(({ value }) => value)
  return new Set([...written, ...scaled].filter(Number.isFinite))
}
