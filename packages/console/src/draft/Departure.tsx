/** When an approved item is sent, and why not earlier. */
import { countdown, dayAndTime } from "../queue/times.ts"
import { Icon } from "../screen/Icon.tsx"
import { useClock } from "../screen/useClock.ts"
import type { Details } from "../service/shapes.ts"

/** See above. */
export const Departure = ({ departure }: Pick<Details, "departure">) => {
  const now = useClock()
  if (departure === null) return null
  const { leaves_at, reasons } = departure
  const when = leaves_at === null ? "Leaves later" : `Leaves ${dayAndTime(leaves_at)} (${countdown(leaves_at, now)})`
  return (
    <p class="departure">
      <Icon name="clock" />
      <span>{[when, ...reasons].join(", ")}</span>
    </p>
  )
}
