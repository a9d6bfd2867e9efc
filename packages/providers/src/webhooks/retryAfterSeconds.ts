/** The header Retry-After: seconds or a date (RFC 9110, 10.2.3). */

/** Seconds to wait from `now` (milliseconds since 1970); null when missing or malformed. */
export const retryAfterSeconds = (header: string | undefined, now: number): number | null => {
  const text = header?.trim().slice(0, 100) ?? ""
  if (/^[0-9]{1,9}$/.test(text)) return Number(text)
  if (!/^[A-Za-z]{3,9}, /.test(text)) return null
  const seconds = Math.ceil((Date.parse(text) - now) / 1_000)
  return Number.isFinite(seconds) && seconds > 0 ? seconds : null
}
