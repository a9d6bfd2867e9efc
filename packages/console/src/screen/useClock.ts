/** The time of day, for what counts down. */
import { signal } from "@preact/signals"

const clock = signal(Date.now())

setInterval(() => {
  if (!document.hidden) clock.value = Date.now()
}, 1000)

/** The time in milliseconds, renewed every second. */
export const useClock = (): number => clock.value
