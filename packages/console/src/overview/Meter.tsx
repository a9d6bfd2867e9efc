/** A thin bar that shows how much of a limit is used. The numbers are beside it. */
import { shareOf } from "./Plot.ts"

interface Props {
  readonly used: number
  readonly limit: number | null
  readonly isFull?: boolean
}

/** See above. */
export const Meter = ({ isFull = false, limit, used }: Props) => (
  <svg class={isFull ? "meter full" : "meter"} width="100%" height="6" aria-hidden="true">
    {limit !== null && <rect class="meter-ground" width="100%" height="6" rx="3" />}
    {limit !== null && used > 0 && (
      <rect class="meter-used" width={`${Math.max(2, shareOf(used, limit))}%`} height="6" rx="3" />
    )}
  </svg>
)
