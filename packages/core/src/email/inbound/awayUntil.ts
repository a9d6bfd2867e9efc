/** Until when a person is away, as an automatic answer says in words. Pure. */
import type { InstantText } from "../../kernel/schema/IdsAndTime.ts"

const languages = ["en", "de", "fr", "es", "it", "nl", "pt"]

/** Months by their names without accents, long and short, in the languages that are read. */
const months: ReadonlyMap<string, number> = new Map(
  languages.flatMap((language) =>
    Array.from({ length: 12 }, (_, month) => month).flatMap((month) =>
      (["long", "short"] as const).map(
        (width) =>
          [
            plain(
              new Intl.DateTimeFormat(language, { month: width, timeZone: "UTC" }).format(Date.UTC(2026, month, 1))
            ),
            month
          ] as const
      )
    )
  )
)

/** Lower case, without accents and final points. */
function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").replace(/\.$/, "").toLowerCase()
}

/** Words before the last day of an absence, and before the first day after it. */
const lastDay = /\b(?:until|till|through|thru|to|bis|zum|jusqu|hasta|fino|tot|ate|al|au|up to)\b/
const firstDay = /\b(?:back|return\w*|again|from|zuruck|wieder|ab|retour|revien\w*|vuelv\w*|rientr\w*|terug|volt\w*)\b/

const dates = [
  /(?<y>20\d\d)-(?<m>\d\d)-(?<d>\d\d)/,
  /(?<d>\d{1,2})\.\s?(?<m>\d{1,2})\.(?:\s?(?<y>20\d\d|\d\d)\b)?/,
  /(?<d>\d{1,2})[/-](?<m>\d{1,2})[/-](?<y>20\d\d|\d\d)\b/,
  /(?<d>\d{1,2})(?:st|nd|rd|th|er|º|°)?\.?\s(?:of |de |di )?(?<n>\p{L}{3,12})\.?(?:,?\s(?:de |del )?(?<y>20\d\d))?/u,
  /(?<n>\p{L}{3,12})\.?\s(?<d>\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s(?<y>20\d\d))?/u
].map(({ flags, source }) => new RegExp(source, `g${flags}`))

const dayMillis = 86_400_000

/** The longest absence that is believed. */
const maxDays = 180

/** The start of a day in UTC: the next one of that date where no year is given. Undefined for no date. */
const dayOf = ({ d, m, n, y }: Readonly<Record<string, string | undefined>>, from: number): number | undefined => {
  const named = n === undefined ? undefined : months.get(n)
  // Day before month, unless only the other order is a date.
  const [day, month] =
    n !== undefined ? [Number(d), named] : Number(m) > 12 ? [Number(m), Number(d) - 1] : [Number(d), Number(m) - 1]
  if (month === undefined || month > 11 || day < 1 || day > 31) return undefined
  const at = (year: number) => Date.UTC(year, month, day)
  if (y !== undefined) return at((Number(y) % 100) + 2_000)
  const year = new Date(from).getUTCFullYear()
  return at(year) < from - dayMillis ? at(year + 1) : at(year)
}

/** The latest day of return that the text names, at most half a year ahead; null where it names none. */
export const awayUntil = (text: string, from: InstantText): InstantText | null => {
  const read = plain(text.slice(0, 5_000))
  const now = Date.parse(from)
  const returns = dates.flatMap((pattern) =>
    [...read.matchAll(pattern)].flatMap((found) => {
      const before =
        read
          .slice(Math.max(0, found.index - 40), found.index)
          .split(/[.!?\n]\s/)
          .at(-1) ?? ""
      const isLast = lastDay.test(before)
      if (!isLast && !firstDay.test(before)) return []
      const day = dayOf(found.groups ?? {}, now)
      const back = day === undefined ? Number.NaN : isLast ? day + dayMillis : day
      return back > now && back < now + maxDays * dayMillis ? [back] : []
    })
  )
  return returns.length === 0 ? null : new Date(Math.max(...returns)).toISOString()
}
