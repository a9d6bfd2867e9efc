/** A mission: its state, what is next, what happened, and its forms. */
import type { RestMission } from "@svc/core/missions"
import { confirm } from "../dialogs/Confirm.tsx"
import { Edit } from "../form/Edit.tsx"
import type { Options } from "../form/values.ts"
import { Acts } from "../list/Acts.tsx"
import { Detail, Read, useReading } from "../list/Detail.tsx"
import { say } from "../screen/state.ts"
import { act } from "../service/act.ts"
import { agents, readNames } from "../service/names.ts"
import { request, run } from "../service/request.ts"
import { EditEntries } from "./EditEntries.tsx"
import { valuesOf } from "./fields.ts"
import { list } from "./list.ts"
import { Activity, Next, State } from "./MissionParts.tsx"
import { type Choices, missionChange, missionFields, newMission, newMissionValues } from "./missionFields.ts"
import { askDelete, New, useOpen } from "./parts.tsx"
import { counted, missionState } from "./words.ts"

const readChoices = async () => {
  const [offers] = await Promise.all([run("offer.list", { limit: 100 }), readNames()])
  // Who may not read them can still edit the rest.
  const names: Options = offers.ok ? offers.data.offers.map(({ id, name }) => [id, name]) : []
  return { ok: true as const, held: "", data: { agents: agents.value, offers: names } }
}

interface Props {
  readonly mission: RestMission
  readonly refresh: () => Promise<void>
}

const starts = { PAUSED: "Resume", DRAFT: "Start", ACTIVE: "Pause", COMPLETED: "", ARCHIVED: "" }

const Actions = ({ mission: { handle, id, leadCount, name, status }, refresh }: Props) => {
  const mission_id = id
  const update = (status: "active" | "archived", done: string) =>
    void act("mission.update", { mission_id, status }, done).then(refresh)
  const toggle = () => {
    if (status === "ACTIVE")
      void act("mission.pause", { mission_id }, `${name} is paused. Approved messages wait.`).then(refresh)
    else if (starts[status] !== "") void act("mission.resume", { mission_id }, `${name} is active.`).then(refresh)
    else say(`${name} is ${missionState(status).toLowerCase()}: it can't be paused or resumed.`, "problem")
  }
  const complete = () =>
    confirm({
      title: `Complete ${name}?`,
      text: "Approved messages are no longer sent. A completed mission can't be resumed.",
      button: "Complete",
      onYes: () => void act("mission.complete", { mission_id }, `${name} is completed.`).then(refresh)
    })
  const archive = () =>
    confirm({
      title: `Archive ${name}?`,
      text: "It takes no new leads or drafts. Unsent messages are cancelled, and approved drafts go back to review.",
      button: "Archive",
      onYes: () => update("archived", `${name} is archived.`)
    })
  const remove = () => {
    if (leadCount === 0) askDelete(handle, "This can't be undone.", list, "mission.delete", { mission_id })
    else
      say(
        `${name} has ${counted(leadCount, "lead")}. Only a mission without leads can be deleted. Archive it instead.`,
        "problem"
      )
  }
  const isRunning = status === "ACTIVE" || status === "PAUSED"
  const isOff = starts[status] === ""
  return (
    <Acts
      of={`${id} ${status} ${name}`}
      acts={[
        { text: starts[status] || "Resume", key: "p", isPrimary: !isOff, isOff, run: toggle },
        isRunning && { text: "Complete", run: complete },
        status === "ARCHIVED"
          ? { text: "Restore", run: () => update("active", `${name} is restored. Resume it to send.`) }
          : { text: "Archive", run: archive },
        { text: "Delete", run: remove }
      ]}
    />
  )
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

/** The mission. */
export const MissionDetail = ({ id }: { readonly id: string }) => {
  const { reading, refresh } = useOpen(list, () =>
    request<{ mission: RestMission }>("GET", `/api/v1/missions/${encodeURIComponent(id)}`)
  )
  const choices = useReading(readChoices, /^offer\./)
  return (
    <Read reading={reading} refresh={refresh}>
      {({ mission }) => (
        <Detail
          title={mission.name}
          about={missionState(mission.status)}
          actions={<Actions mission={mission} refresh={refresh} />}
        >
          <State mission={mission} />
          <Next mission={mission} />
          <Activity mission={mission} />
          <Read {...choices}>{(data) => <Forms choices={data} mission={mission} refresh={refresh} />}</Read>
        </Detail>
      )}
    </Read>
  )
}

/** The form for a new one. */
export const NewMission = () => (
  <Read {...useReading(readChoices, /^offer\./)}>
    {(choices) => {
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
    }}
  </Read>
)
