/** When a delivery is tried again, and when its webhook is given up. Source: G34. */
import { sha256Hex } from "../../Hash.ts"
import { isoFromMillis } from "../../Time.ts"

/** Seconds to wait after the first failure, the second, and so on: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
export const retryDelays = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const

/** The longest that a receiver may ask to be left alone, in seconds. */
export const longestRetryAfter = 86_400

/** How long a webhook may fail without a single success before it is disabled, in milliseconds. */
export const longestFailing = 5 * 86_400_000

/** A number from 0 up to 1 that is always the same for a text: delays differ, and a test can tell them. */
const shareOf = (text: string): number => Number.parseInt(sha256Hex(text).slice(0, 8), 16) / 2 ** 32

/**
 * When to try again after `attempts` requests, the last of which failed at `at`; null when that was the last. Delays vary
 * by a tenth to either side. A receiver that says Retry-After is left alone for at least that long.
 */
export const nextTryAt = (
  deliveryId: string,
  attempts: number,
  at: string,
  retryAfterSeconds: number | null
): string | null => {
  const delay = retryDelays[attempts - 1]
  if (delay === undefined) return null
  const varied = delay * (0.9 + 0.2 * shareOf(`${deliveryId}/${attempts}`))
  const asked = Math.min(retryAfterSeconds ?? 0, longestRetryAfter)
  return isoFromMillis(Date.parse(at) + Math.round(Math.max(varied, asked) * 1_000))
}
