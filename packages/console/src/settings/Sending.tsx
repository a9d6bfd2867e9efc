/** What each agent sends with, and when: LinkedIn accounts, working hours and limits. */
import { confirm } from "../dialogs/Confirm.tsx"
import { Card } from "../list/Detail.tsx"
import { Entries, type EntryContent } from "../list/Entries.tsx"
import { hoursInWords } from "../missions/hours.ts"
import { type Account, accountHealth } from "../missions/words.ts"
import { ofLimit } from "../overview/Accounts.ts"
import { listing } from "../place/Listing.ts"
import { dateAndTime } from "../queue/times.ts"
import { Link } from "../screen/Link.tsx"
import { ask, say } from "../screen/state.ts"
import { act } from "../service/act.ts"
import { mapOutcome } from "../service/outcome.ts"
import { run } from "../service/request.ts"
import type { ResultOf } from "../service/shapes.ts"

type Agent = ResultOf<"agent.list">["agents"][number]
type Windows = ResultOf<"linkedin.usage.get">["windows"]
type Sender = { readonly agent: Agent; readonly account: Account | undefined; readonly windows: Windows }

const senders = listing<Sender>(
  ({ agent }) => agent.handle,
  /^(account|usage)\./,
  async (_, page) => {
    const [accounts, usage, agents] = await Promise.all([
      run("linkedin.account.list", {}),
      run("linkedin.usage.get", {}),
      run("agent.list", page)
    ])
    if (!accounts.ok) return accounts
    const senderOf = (agent: Agent): Sender => {
      const account = accounts.data.accounts.find(({ agent_handle }) => agent_handle === agent.handle)
      const windows = usage.ok ? usage.data.windows : []
      return { agent, account, windows: windows.filter(({ account_id }) => account_id === account?.account_id) }
    }
    return mapOutcome(agents, ({ agents: found, next_cursor }) => ({ items: found.map(senderOf), next_cursor }))
  }
)

const link = async ({ handle }: Agent, name: string): Promise<void> => {
  const linked = await act("linkedin.account.link", { agent_handle: handle }, `The account of ${name} is linked.`)
  if (!linked.ok || linked.held !== "") return
  const { expires_at, url } = linked.data
  if (url === null) return senders.refresh()
  say(`Not linked yet: ${name} connects the account.`)
  ask(`Connect the LinkedIn account of ${name}`, () => (
    <p>
      Only {name} should open this page and sign in to LinkedIn there:{" "}
      <a href={url} target="_blank" rel="noopener noreferrer">
        connect the account
      </a>
      . {expires_at !== null && `It works until ${dateAndTime(expires_at)}.`}
    </p>
  ))
}

const askUnlink = ({ handle }: Agent, name: string): void =>
  confirm({
    title: `Unlink the LinkedIn account of ${name}?`,
    text: "Nothing is sent or read for this agent until an account is linked again. Messages stay.",
    button: "Unlink",
    onYes: () => void act("linkedin.account.unlink", { agent_handle: handle }, "Unlinked.").then(senders.refresh)
  })

const used = (windows: Windows, action: "message" | "invitation"): string | undefined => {
  const found = windows.find((one) => one.action === action && one.window === "day")
  return found && `${ofLimit(found.used, found.limit)} ${action}s in the last 24 hours`
}

const entryOf = ({ account, agent, windows }: Sender): EntryContent => {
  const name = `${agent.firstName} ${agent.lastName}`.trim()
  const again = account === undefined ? "Link LinkedIn account…" : "Sign in to LinkedIn again…"
  return {
    name,
    signs: [
      account === undefined
        ? ["No LinkedIn account", "warning"]
        : [accountHealth(account.status), account.status === "OK" ? "" : "warning"]
    ],
    about: [
      `${hoursInWords(agent.workingHours) || "never"}, ${agent.timezone}`,
      used(windows, "message"),
      used(windows, "invitation")
    ],
    actions: [
      account?.status !== "OK" && [again, () => void link(agent, name)],
      account !== undefined && ["Unlink LinkedIn account…", () => askUnlink(agent, name)]
    ],
    more: <Link to={{ place: "agents", item: agent.handle }}>Change hours, limits and mailboxes</Link>
  }
}

/** The section. */
export const Sending = () => (
  <Card title="Agents">
    <Entries label="Agents" list={senders} empty="No agents yet: create one under Missions." entry={entryOf} />
  </Card>
)
