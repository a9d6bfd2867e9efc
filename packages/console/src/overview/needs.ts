/** What waits for a person. Pure. */
import { followUpName } from "../draft/origin.ts"
import type { Planned } from "../leads/facts.ts"
import { type Account, accountHealth } from "../missions/words.ts"
import { dateAndTime } from "../queue/times.ts"
import type { Counts, Item, ResultOf } from "../service/shapes.ts"
import { limitNote, type UsageWindow, windowName } from "./Accounts.ts"

/** A place of the page, and what of it. */
interface To {
  readonly place: "agents" | "import" | "leads" | "replies" | "review" | "settings"
  readonly item?: string | undefined
  readonly query?: Readonly<Record<string, string>>
}

interface Entry extends Record<"name" | "text", string> {
  readonly to: To
  /** What is to be written. */
  readonly planned?: Planned
}

/** What waits of one kind, with the first few, and where all of them are. */
export interface Need {
  readonly title: string
  readonly count: number
  readonly to: To
  readonly entries: ReadonlyArray<Entry>
}

type Part<A> = ReadonlyArray<A> | undefined

/** What was read. A part that the person may not read is undefined. */
export interface Waiting {
  readonly counts?: Counts | undefined
  readonly requests?: Counts | undefined
  readonly replies?: Part<Item>
  readonly drafts?: Part<Item>
  readonly approvals?: Part<Item>
  readonly problems?: Part<Item>
  readonly followUps?: Part<Planned>
  readonly accounts?: Part<Account>
  readonly windows?: Part<UsageWindow>
  readonly imports?: Part<ResultOf<"import.list">["imports"][number]>
}

const shown = 4

/** Items of the review, with the place where they all are. */
const ofItems = (title: string, count: number, to: To, items: ReadonlyArray<Item> = []): Need => ({
  title,
  count,
  to,
  entries: items.slice(0, shown).map(({ item_id: item, lead, preview, problem }) => {
    return { name: lead?.name ?? preview, text: problem ?? (lead ? preview : ""), to: { ...to, item } }
  })
})

/** What was read as a whole. */
const ofAll = <A>(title: string, to: To, all: ReadonlyArray<A>, entryOf: (one: A) => Entry): Need => ({
  title,
  count: all.length,
  to,
  entries: all.slice(0, shown).map(entryOf)
})

/** Each kind that has something, most urgent first. */
export const needsOf = (waiting: Waiting): ReadonlyArray<Need> => {
  const { accounts = [], counts, followUps = [], imports = [], requests, replies = [], windows = [] } = waiting
  const open = replies.filter(({ state }) => state === "waiting")
  const replied = counts?.replies_waiting ?? open.length
  const requested = requests?.to_review ?? 0
  const review = (query: NonNullable<To["query"]>): To => ({ place: "review", query })
  const broken = accounts.filter(({ status }) => status !== "OK")
  // A limit of 0 was set on purpose.
  const full = windows.filter(({ limit, remaining }) => remaining === 0 && limit !== 0)
  return [
    ofItems("Replies waiting", replied, { place: "replies" }, open),
    ofAll("Accounts that don't work", { place: "settings", item: "sending" }, broken, (one) => {
      const { agent_handle: item, name, status } = one
      return { name, text: accountHealth(status), to: { place: "agents", item } }
    }),
    ofItems("Approval requests", requested, review({ kind: "approval" }), waiting.approvals),
    ofItems("Drafts to review", (counts?.to_review ?? 0) - requested, review({}), waiting.drafts),
    ofAll("Follow-ups due", { place: "leads", query: { sort: "action" } }, followUps, (planned) => {
      const { lead_id: item, name } = planned
      return { name, text: followUpName(planned), to: { place: "leads", item }, planned }
    }),
    ofItems("Problems", counts?.problems ?? 0, review({ tab: "problems" }), waiting.problems),
    ofAll("Limits reached", { place: "agents" }, full, (one) => {
      const owner = accounts.find(({ account_id }) => account_id === one.account_id)
      const name = `${owner?.name ?? "An account"}: ${windowName(one)}`
      return { name, text: limitNote(one), to: { place: "agents", item: owner?.agent_handle } }
    }),
    ofAll("Imports that stopped", { place: "import" }, imports, ({ created_at, import_id: item, name }) => {
      return { name, text: `Started ${dateAndTime(created_at)}`, to: { place: "import", item } }
    })
  ].filter(({ count }) => count > 0)
}
