/** The place of the missions: their state, what is next, what happened, and their forms. */
import type { RestMission } from "@svc/core/missions"
import type { ComponentChildren } from "preact"
import { confirm } from "../dialogs/Confirm.tsx"
import { Edit } from "../form/Edit.tsx"
import type { Options } from "../form/values.ts"
import type { Act } from "../list/Acts.tsx"
import { Detail, Read, useReading } from "../list/Detail.tsx"
import { Sign } from "../list/Row.tsx"
import { listing } from "../place/Listing.ts"
import { dateAndTime } from "../queue/times.ts"
import { say } from "../screen/state.ts"
import { act } from "../service/act.ts"
import { agents, readNames } from "../service/names.ts"
import { mapOutcome } from "../service/outcome.ts"
import { request, run } from "../service/request.ts"
import { EditEntries } from "./EditEntries.tsx"
import { valuesOf } from "./fields.ts"
import { Activity, Next, State } from "./MissionParts.tsx"
import { type Choices, missionChange, missionFields, newMission, newMissionValues } from "./missionFields.ts"
import { askDelete, MissionPlace, New } from "./Place.tsx"
import { Steps } from "./Steps.tsx"
import { counted, titleCase } from "./words.ts"

const path = "/api/v1/missions"

/** The missions, newest first, as REST shows them: with their state. */
const list = listing<RestMission>(
  ({ id }) => id,
  /^(mission\.|lead\.mission)/,
  async ({ query = "", status = "" }, { cursor = "", limit }) => {
    const given = Object.entries({ limit: String(limit), cursor, query, status }).filter(([, value]) => value !== "")
    const found = await request<{ missions: ReadonlyArray<RestMission>; nextCursor: string | null }>(
      "GET",
      `${path}?${new URLSearchParams(given)}`
    )
    return mapOutcome(found, ({ missions, nextCursor }) => ({ items: missions, next_cursor: nextCursor }))
  }
)

const readChoices = async () => {
  const [offers] = await Promise.all([run("offer.list", { limit: 100 }), readNames()])
  // Who may not read them can still edit the rest.
  const names: Options = offers.ok ? offers.data.offers.map(({ id, name }) => [id, name]) : []
  return { ok: true as const, held: "", data: { agents: agents.value, offers: names } }
}

const WithChoices = ({ children }: { readonly children: (choices: Choices) => ComponentChildren }) => (
  <Read {...useReading(readChoices, /^offer\./)}>{children}</Read>
)

interface Props {
  readonly mission: RestMission
  readonly refresh: () => Promise<void>
}

const starts = { PAUSED: "Resume", DRAFT: "Start", ACTIVE: "Pause", COMPLETED: "", ARCHIVED: "" }

const actsOf = ({ mission: { handle, id, leadCount, name, status }, refresh }: Props): ReadonlyArray<Act | false> => {
  const mission_id = id
  const change = (command: "mission.pause" | "mission.resume" | "mission.complete", done: string) =>
    void act(command, { mission_id }, done).then(refresh)
  const update = (status: "active" | "archived", done: string) =>
    void act("mission.update", { mission_id, status }, done).then(refresh)
  const refuse = (why: string) => say(`${name} ${why}`, "problem")
  const asks = (button: string, text: string, onYes: () => void) => ({
    text: button,
    run: () => confirm({ title: `${button} ${name}?`, text, button, onYes })
  })
  const toggle = () => {
    if (status === "ACTIVE") change("mission.pause", `${name} is paused. Approved messages wait.`)
    else if (starts[status] !== "") change("mission.resume", `${name} is active.`)
    else refuse(`is ${titleCase(status).toLowerCase()}: it can't be paused or resumed.`)
  }
  const remove = () => {
    if (leadCount === 0) askDelete(handle, "This can't be undone.", list, "mission.delete", { mission_id })
    else refuse(`has ${counted(leadCount, "lead")}. Only a mission without leads can be deleted. Archive it instead.`)
  }
  const isRunning = status === "ACTIVE" || status === "PAUSED"
  const isOff = starts[status] === ""
  return [
    { text: starts[status] || "Resume", key: "p", isPrimary: !isOff, isOff, run: toggle },
    isRunning &&
      asks("Complete", "Approved messages are no longer sent. A completed mission can't be resumed.", () =>
        change("mission.complete", `${name} is completed.`)
      ),
    status === "ARCHIVED"
      ? { text: "Restore", run: () => update("active", `${name} is restored. Resume it to send.`) }
      : asks(
          "Archive",
          "It takes no new leads or drafts. Unsent messages are cancelled, and approved drafts go back to review.",
          () => update("archived", `${name} is archived.`)
        ),
    { text: "Delete", run: remove }
  ]
}

const Forms = ({ choices, mission, refresh }: Props & { readonly choices: Choices }) => {
  const { emailExamples, id } = mission
  const fields = missionFields(choices, mission)
  return (
    <>
      <Edit
        id={`mission ${id}`}
        title="Settings and brief"
        fields={fields}
        values={valuesOf(fields, mission, { target_audience: "whoAreThey" })}
        onSubmit={(_, changed, key) => run("mission.update", missionChange(id, fields, changed), { key })}
        onDone={refresh}
      />
      <EditEntries
        id={`mission ${id} example`}
        title="Example messages"
        add="Add an example"
        fields={[{ name: "text", label: "Message", kind: "area", rows: 6, required: true }]}
        entries={emailExamples.map((text) => ({ text }))}
        save={(entries, key) =>
          run("mission.update", { mission_id: id, example_messages: entries.map(({ text }) => text) }, { key })
        }
        onDone={refresh}
      />
    </>
  )
}

const newOf = (choices: Choices) => {
  const fields = missionFields(choices)
  return (
    <New
      title="New mission"
      fields={fields}
      values={newMissionValues(choices)}
      list={list}
      create={(values, key) => run("mission.create", newMission(fields, values), { key })}
      idOf={({ mission }) => mission.id}
    />
  )
}

const filters = [
  {
    name: "status",
    label: "Which missions",
    options: Object.entries({ "": "All missions", active: "Without archived", archived: "Archived" })
  }
]

/** The place. */
export const Missions = () => (
  <MissionPlace
    place="missions"
    list={list}
    filters={filters}
    row={({ createdAt, lastUsedAt, leadCount, name, status, whoAreThey }) => ({
      name,
      when: dateAndTime(lastUsedAt ?? createdAt),
      signs: <Sign>{titleCase(status)}</Sign>,
      preview: [counted(leadCount, "lead"), whoAreThey].filter(Boolean).join(" · ")
    })}
    read={(id) => request<{ mission: RestMission }>("GET", `${path}/${encodeURIComponent(id)}`)}
    detail={({ mission }, refresh) => (
      <Detail title={mission.name} about={titleCase(mission.status)} acts={actsOf({ mission, refresh })}>
        <State mission={mission} />
        <Next mission={mission} />
        <Activity mission={mission} />
        <Steps mission_id={mission.id} />
        <WithChoices>{(choices) => <Forms choices={choices} mission={mission} refresh={refresh} />}</WithChoices>
      </Detail>
    )}
    created={<WithChoices>{newOf}</WithChoices>}
  />
)
