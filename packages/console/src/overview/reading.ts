/** Reads what the overview shows, again and again while it is shown. */
import { effect, type Signal, signal } from "@preact/signals"
import { feed } from "../live/follow.ts"
import { pause } from "../screen/state.ts"
import type { Outcome } from "../service/outcome.ts"
import { run } from "../service/request.ts"
import type { CommandId, InputOf, ResultOf } from "../service/shapes.ts"
import { datesOf, firstDay } from "./Activity.ts"
import type { Waiting } from "./needs.ts"

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
export const waiting = signal<Part<Waiting>>({})

const readEvery = 30_000
/** Replies that are looked at to find those that are not answered. */
const lookedAt = 50
const listed = 4

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

const dataOf = <A>(outcome: Outcome<A>): A | undefined => (outcome.ok ? outcome.data : undefined)

/** Reads what waits. A part that the person may not read is left out. */
const readWaiting = async (): Promise<void> => {
  const list = async (input: InputOf<"review.list">) =>
    dataOf(await run("review.list", { limit: listed, ...input }))?.items
  const [counts, requests, replies, drafts, approvals, problems, accounts, imports] = await Promise.all([
    run("review.counts", {}),
    run("review.counts", { kind: ["approval"] }),
    list({ tab: "replies", limit: lookedAt }),
    list({ kind: ["message", "email", "invitation"] }),
    list({ kind: ["approval"] }),
    list({ tab: "problems" }),
    run("linkedin.account.list", {}),
    run("import.list", { state: "interrupted", limit: listed })
  ])
  waiting.value = counts.ok
    ? {
        data: {
          counts: counts.data,
          requests: dataOf(requests),
          ...{ replies, drafts, approvals, problems },
          accounts: dataOf(accounts)?.accounts,
          imports: dataOf(imports)?.imports
        }
      }
    : { ...waiting.value, problem: counts.problem.message }
}

const readFigures = (): void => {
  void readActivity()
  void read(usage, "linkedin.usage.get", {})
  void read(forecast, "linkedin.queue.forecast", {})
}

/** Shows another period. */
export const showPeriod = (days: number): void => {
  period.value = days
  void readActivity()
}

/** Reads everything every 30 seconds, and what waits after each event. Returns how to stop. */
export const watch = (): (() => void) => {
  readFigures()
  const timer = setInterval(() => {
    if (document.hidden || (pause.value?.until ?? 0) > Date.now()) return
    readFigures()
    void readWaiting()
  }, readEvery)
  const stop = effect(() => {
    if (feed.value !== undefined) void readWaiting()
  })
  return () => {
    clearInterval(timer)
    stop()
  }
}
