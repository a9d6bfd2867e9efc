/** What waits for a person. Pure. */
import { type Account, accountHealth } from "../missions/words.ts"
import { dateAndTime } from "../queue/times.ts"
import type { Counts, Item, ResultOf } from "../service/shapes.ts"
import { limitNote, windowName } from "./Accounts.ts"

/** A place of the page, and what of it. */
interface To {
  readonly place: "agents" | "import" | "replies" | "review" | "settings"
  readonly item?: string | undefined
  readonly query?: Readonly<Record<string, string>>
}

/** One thing to do. */
interface Entry {
  readonly id: string
  readonly name: string
  readonly text: string
  readonly to: To
}

/** What waits of one kind, with the first few. */
export interface Need {
  readonly title: string
  readonly count: number
  readonly entries: ReadonlyArray<Entry>
  /** Where all of them are. */
  readonly to: To
}

/** What was read. A part that the person may not read is undefined. */
export interface Waiting {
  readonly counts?: Counts | undefined
  readonly requests?: Counts | undefined
  readonly replies?: ReadonlyArray<Item> | undefined
  readonly drafts?: ReadonlyArray<Item> | undefined
  readonly approvals?: ReadonlyArray<Item> | undefined
  readonly problems?: ReadonlyArray<Item> | undefined
  readonly accounts?: ReadonlyArray<Account> | undefined
  readonly windows?: ResultOf<"linkedin.usage.get">["windows"] | undefined
  readonly imports?: ResultOf<"import.list">["imports"] | undefined
}

const shown = 4

const entriesOf = (items: ReadonlyArray<Item> = [], toOf: (id: string) => To): ReadonlyArray<Entry> =>
  items.slice(0, shown).map(({ item_id: id, lead, preview, problem }) => ({
    id,
    name: lead?.name ?? preview,
    text: problem ?? (lead === null ? "" : preview),
    to: toOf(id)
  }))

const agent = (handle: string | undefined): To => ({ place: "agents", item: handle })

/** Each kind that has something, most urgent first. */
export const needsOf = (waiting: Waiting): ReadonlyArray<Need> => {
  const { accounts = [], counts, imports = [], requests, replies = [], windows = [] } = waiting
  const open = replies.filter(({ state }) => state === "waiting")
  const requested = requests?.to_review ?? 0
  const sick = accounts.filter(({ status }) => status !== "OK")
  // A limit of 0 was set on purpose.
  const full = windows.filter(({ limit, remaining }) => remaining === 0 && limit !== 0)
  const review = (query: Readonly<Record<string, string>>) => ({ place: "review" as const, query })
  const needs: ReadonlyArray<Need> = [
    {
      title: "Replies waiting",
      count: counts?.replies_waiting ?? open.length,
      entries: entriesOf(open, (item) => ({ place: "replies", item })),
      to: { place: "replies" }
    },
    {
      title: "Accounts that don't work",
      count: sick.length,
      entries: sick.map(({ account_id: id, agent_handle, name, status }) => ({
        id,
        name,
        text: accountHealth(status),
        to: agent(agent_handle)
      })),
      to: { place: "settings", item: "accounts" }
    },
    {
      title: "Approval requests",
      count: requested,
      entries: entriesOf(waiting.approvals, (item) => ({ ...review({ kind: "approval" }), item })),
      to: review({ kind: "approval" })
    },
    {
      title: "Drafts to review",
      count: (counts?.to_review ?? 0) - requested,
      entries: entriesOf(waiting.drafts, (item) => ({ ...review({}), item })),
      to: review({})
    },
    {
      title: "Problems",
      count: counts?.problems ?? 0,
      entries: entriesOf(waiting.problems, (item) => ({ ...review({ tab: "problems" }), item })),
      to: review({ tab: "problems" })
    },
    {
      title: "Limits reached",
      count: full.length,
      entries: full.map((one) => {
        const owner = accounts.find(({ account_id }) => account_id === one.account_id)
        const name = `${owner?.name ?? "An account"}: ${windowName(one)}`
        return {
          id: `${one.account_id} ${windowName(one)}`,
          name,
          text: limitNote(one),
          to: agent(owner?.agent_handle)
        }
      }),
      to: { place: "agents" }
    },
    {
      title: "Imports that stopped",
      count: imports.length,
      entries: imports.map(({ created_at, import_id: id, name }) => ({
        id,
        name,
        text: `Started ${dateAndTime(created_at)}`,
        to: { place: "import", item: id }
      })),
      to: { place: "import" }
    }
  ]
  return needs.filter(({ count }) => count > 0)
}
