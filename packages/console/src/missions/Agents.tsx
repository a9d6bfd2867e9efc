/** The place of the agents: the personas that write, with their accounts, hours and limits. */
import { Edit } from "../form/Edit.tsx"
import { Card, Detail, Facts, Read, useReading } from "../list/Detail.tsx"
import { listing } from "../place/Listing.ts"
import { Link } from "../screen/Link.tsx"
import { mapOutcome } from "../service/outcome.ts"
import { run } from "../service/request.ts"
import type { InputOf, ResultOf } from "../service/shapes.ts"
import { limitFields, limitsChange, limitValues, mailboxFields, personaFields } from "./agentFields.ts"
import { EditEntries } from "./EditEntries.tsx"
import { inputOf, newInputOf, valuesOf } from "./fields.ts"
import { hoursFields, hoursOf, hoursValues } from "./hours.ts"
import { askDelete, MissionPlace, New } from "./Place.tsx"
import { type Account, accountHealth, titleCase } from "./words.ts"

type Agent = ResultOf<"agent.get">["agent"]

const nameOf = ({ firstName, lastName }: Agent): string => `${firstName} ${lastName}`

// Agents have no events of their own.
const list = listing<Agent>(
  ({ handle }) => handle,
  /^mission\./,
  async ({ query = "" }, page) =>
    mapOutcome(await run("agent.list", page), ({ agents, next_cursor }) => {
      const items = agents.filter((agent) => nameOf(agent).toLowerCase().includes(query.toLowerCase()))
      return { items, next_cursor }
    })
)

const aboutLimits =
  "Leave a limit empty to use that of the subscription, which is also the most it can be. What is allowed now is less " +
  "during a slow start, and varies by day."

const Limits = ({ account: { account_id } }: { readonly account: Account }) => (
  <Read {...useReading(() => run("linkedin.usage.get", { account_id }), /^(message|invitation)\./)}>
    {({ windows }, refresh) => (
      <Edit
        id={`limits ${account_id}`}
        title="Limits"
        about={aboutLimits}
        class="columns-form"
        fields={limitFields(windows)}
        values={limitValues(windows)}
        onSubmit={(_, changed, key) =>
          run("linkedin.usage.set-limits", limitsChange(account_id, inputOf(limitFields(windows), changed)), { key })
        }
        onDone={refresh}
      />
    )}
  </Read>
)

/** The LinkedIn account, its health and its limits. */
const LinkedIn = ({ handle }: { readonly handle: string }) => (
  <Read {...useReading(() => run("linkedin.account.list", {}), /^mission\./)}>
    {({ accounts }) => {
      const account = accounts.find(({ agent_handle }) => agent_handle === handle)
      return (
        <>
          <Card title="LinkedIn account">
            <Facts
              facts={[
                ["State", account === undefined ? "No account: nothing is sent" : accountHealth(account.status)],
                ["Subscription", account && titleCase(account.tier)]
              ]}
            />
            <p>
              <Link to={{ place: "settings", item: "sending" }}>Accounts</Link>{" "}
              <Link to={{ place: "settings", item: "mailboxes" }}>Mailboxes</Link>
            </p>
          </Card>
          {account !== undefined && <Limits account={account} />}
        </>
      )
    }}
  </Read>
)

interface Props {
  readonly agent: Agent
  readonly refresh: () => Promise<void>
}

const Forms = ({ agent, refresh }: Props) => {
  const { handle, timezone, workingHours } = agent
  const save = (input: Omit<InputOf<"agent.update">, "agent_handle">, key: string) =>
    run("agent.update", { agent_handle: handle, ...input }, { key })
  return (
    <>
      <Edit
        id={`hours ${handle}`}
        title="Working hours"
        about="Messages are sent within these hours only. A day without times is closed."
        class="columns-form hours"
        fields={hoursFields(workingHours, timezone)}
        values={hoursValues(workingHours, timezone)}
        onSubmit={async (values, _, key) => {
          const hours = hoursOf(values)
          if (typeof hours !== "string")
            return save({ timezone: String(values["timezone"]), working_hours: hours }, key)
          return { ok: false, problem: { kind: "refused", code: "INVALID_INPUT", message: hours } }
        }}
        onDone={refresh}
      />
      <Edit
        id={`agent ${handle}`}
        title="Persona"
        fields={personaFields}
        values={valuesOf(personaFields, agent)}
        onSubmit={(_, changed, key) => save(inputOf(personaFields, changed), key)}
        onDone={refresh}
      />
      <EditEntries
        id={`agent ${handle} mailbox`}
        title="Mailboxes"
        add="Add a mailbox"
        fields={mailboxFields}
        entries={agent.emailAccounts}
        save={(email_accounts, key) => save({ email_accounts }, key)}
        onDone={refresh}
      />
    </>
  )
}

const aboutDeleting =
  "Active missions of this agent are paused, and its unsent messages are cancelled. This can't be undone."

const remove = ({ handle }: Agent) =>
  askDelete(handle, aboutDeleting, list, "agent.delete", { agent_handle: handle, force: true })

/** The place. */
export const Agents = () => (
  <MissionPlace
    place="agents"
    list={list}
    row={(agent) => ({
      name: nameOf(agent),
      company: agent.company,
      preview: [agent.jobTitle, ...agent.emailAccounts.map(({ email }) => email)].filter(Boolean).join(" · ")
    })}
    read={(agent_handle) => run("agent.get", { agent_handle })}
    detail={({ agent }, refresh) => (
      <Detail
        title={nameOf(agent)}
        about={[agent.jobTitle, agent.company].filter(Boolean).join(", ")}
        acts={[{ text: "Delete", run: () => remove(agent) }]}
      >
        <LinkedIn handle={agent.handle} />
        <Forms agent={agent} refresh={refresh} />
      </Detail>
    )}
    created={
      <New
        title="New agent"
        about="A sender persona: the person whom messages are from."
        fields={personaFields}
        values={{ smart_deliverability: true }}
        list={list}
        create={(values, key) =>
          run("agent.create", newInputOf(personaFields, values) as InputOf<"agent.create">, { key })
        }
        idOf={({ agent }) => agent.handle}
      />
    }
  />
)
