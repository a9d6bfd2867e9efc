/** Reads what the overview shows. A part that the person may not read is left out. */
import type { Outcome } from "../service/outcome.ts"
import { run } from "../service/request.ts"
import type { InputOf, ResultOf } from "../service/shapes.ts"
import type { Waiting } from "./needs.ts"

/** Replies that are looked at to find those that are not answered. */
const lookedAt = 50
const listed = 4
/** What a work list has at most; follow-ups come after drafts to review. */
const maxActions = 100

const dataOf = <A>(outcome: Outcome<A>): A | undefined => (outcome.ok ? outcome.data : undefined)

/** What accounts used and what they send next, and why a part of it can't be read. */
export interface Figures {
  readonly usage: ResultOf<"linkedin.usage.get"> | undefined
  readonly forecast: ResultOf<"linkedin.queue.forecast"> | undefined
  readonly problems: ReadonlyArray<string>
}

/** Reads the figures of the accounts. */
export const readFigures = async (): Promise<Outcome<Figures>> => {
  const [usage, forecast] = await Promise.all([run("linkedin.usage.get", {}), run("linkedin.queue.forecast", {})])
  const problems = [usage, forecast].flatMap((one) => (one.ok ? [] : [one.problem.message]))
  return { ok: true, held: "", data: { usage: dataOf(usage), forecast: dataOf(forecast), problems } }
}

/** Reads what waits. */
export const readWaiting = async (): Promise<Outcome<Waiting>> => {
  const list = async (input: InputOf<"review.list">) =>
    dataOf(await run("review.list", { limit: listed, ...input }))?.items
  const [counts, requests, replies, drafts, approvals, problems, accounts, imports, next] = await Promise.all([
    run("review.counts", {}),
    run("review.counts", { kind: ["approval"] }),
    list({ tab: "replies", limit: lookedAt }),
    list({ kind: ["message", "email", "invitation"] }),
    list({ kind: ["approval"] }),
    list({ tab: "problems" }),
    run("linkedin.account.list", {}),
    run("import.list", { state: "interrupted", limit: listed }),
    run("mission.next-actions", { limit: maxActions })
  ])
  if (!counts.ok) return counts
  const data = {
    counts: counts.data,
    requests: dataOf(requests),
    ...{ replies, drafts, approvals, problems },
    accounts: dataOf(accounts)?.accounts,
    imports: dataOf(imports)?.imports,
    followUps: dataOf(next)?.actions.flatMap(({ follow_up, kind, lead_id, name }) =>
      kind === "follow_up_due" && follow_up !== null ? [{ ...follow_up, lead_id, name }] : []
    )
  }
  return { ...counts, data }
}
