/** Reads what the overview shows, again and again while it is shown. */
import { type Signal, signal } from "@preact/signals"
import { pause } from "../screen/state.ts"
import { run } from "../service/request.ts"
import type { CommandId, InputOf, ResultOf } from "../service/shapes.ts"
import { datesOf, firstDay } from "./Activity.ts"
import { isUnderway } from "./Imports.ts"

/** A part of the overview: what was read last, and why it could not be read again. */
export interface Part<A> {
  readonly data?: A
  readonly problem?: string
}

/** Days that the plots cover. */
export const period = signal(30)
/** The mission that the plots show; undefined for all. */
export const missionId = signal<string | undefined>(undefined)
export const activity = signal<Part<ResultOf<"mission.activity">>>({})
export const usage = signal<Part<ResultOf<"linkedin.usage.get">>>({})
export const forecast = signal<Part<ResultOf<"linkedin.queue.forecast">>>({})
export const imports = signal<Part<ResultOf<"import.list">>>({})

const tick = 5000
const ticksPerRead = 6
const maxImports = 100

let importLimit = 10

const read = async <Id extends CommandId>(
  part: Signal<Part<ResultOf<Id>>>,
  id: Id,
  input: InputOf<Id>,
  isStale: () => boolean = () => false
): Promise<void> => {
  const outcome = await run(id, input)
  if (isStale()) return
  if (outcome.ok) {
    part.value = { data: outcome.data }
    return
  }
  part.value = { ...part.value, problem: outcome.problem.message }
}

const readActivity = async (): Promise<void> => {
  const days = period.value
  await read(activity, "mission.activity", { from: firstDay(days, Date.now()) }, () => period.value !== days)
  // Numbers never stand under a period that is not theirs.
  const { data, problem } = activity.value
  if (data !== undefined && problem !== undefined) period.value = datesOf(data).length
}

const readImports = (): Promise<void> => {
  const limit = importLimit
  return read(imports, "import.list", { limit }, () => importLimit !== limit)
}

const readAll = (): void => {
  void readActivity()
  void read(usage, "linkedin.usage.get", {})
  void read(forecast, "linkedin.queue.forecast", {})
  void readImports()
}

/** Shows another period. */
export const showPeriod = (days: number): void => {
  period.value = days
  void readActivity()
}

/** Whether more imports can be shown here. */
export const canShowMore = (): boolean => imports.value.data?.next_cursor != null && importLimit < maxImports

/** Shows more imports. */
export const showMore = (): void => {
  importLimit = Math.min(maxImports, importLimit + 30)
  void readImports()
}

/** Reads everything every 30 seconds, and running imports every 5. Returns how to stop. */
export const watch = (): (() => void) => {
  readAll()
  let ticks = 0
  const timer = setInterval(() => {
    if (document.hidden || (pause.value?.until ?? 0) > Date.now()) return
    ticks += 1
    if (ticks % ticksPerRead === 0) readAll()
    else if (imports.value.data?.imports.some(isUnderway)) void readImports()
  }, tick)
  return () => clearInterval(timer)
}
