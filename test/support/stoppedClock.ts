/** A clock that stands still, for tests of what goes by it however slow the machine is. */
import { afterEach, beforeEach, vi } from "@effect/vitest"

/** Stops `Date` in each test of the group; `vi.setSystemTime` moves it. */
export const stopClock = (): void => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }))
  afterEach(() => void vi.useRealTimers())
}
