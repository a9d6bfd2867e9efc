/** When a delivery is retried, and when its webhook is disabled. */

import { sha256Hex } from "../../kernel/schema/Hash.ts"
import type { DeliveryId } from "../../kernel/schema/RecordIds.ts"
import { isoFromMillis } from "../../kernel/schema/Time.ts"

/** Seconds to wait after the first failure, the second, and so on: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h, 24 h. */
export const retryDelays = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400] as const

/** Maximum Retry-After that is respected, in seconds. */
const maxRetryAfter = 86_400

/** How long a webhook may fail without a success before it is disabled, in milliseconds. */
export const maxFailingMillis = 5 * 86_400_000

/** A number from 0 to below 1, always the same for a text: it varies the delays in a predictable way. */
const shareOf = (text: string): number => Number.parseInt(sha256Hex(text).slice(0, 8), 16) / 2 ** 32

/**
 * When to retry after `attempts` requests, the last of which failed at `at`; null after the last attempt. Delays vary by
 * up to 10 % either way, and are at least the receiver's Retry-After.
 */
export const nextAttemptAt = (
  deliveryId: DeliveryId,
  attempts: number,
  at: string,
  retryAfterSeconds: number | null
): string | null => {
  const delay = retryDelays[attempts - 1]
  if (delay === undefined) return null
  const varied = delay * (0.9 + 0.2 * shareOf(`${deliveryId}/${attempts}`))
  const requested = Math.min(retryAfterSeconds ?? 0, maxRetryAfter)
  return isoFromMillis(Date.parse(at) + Math.round(Math.max(varied, requested) * 1_000))
}
