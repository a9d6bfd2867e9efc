/** A mission: its state, what is next, what happened, and its forms. */
import type { RestMission } from "@svc/core/missions"
import { confirm } from "../dialogs/Confirm.tsx"
import { usePlaceKeys } from "../keys/usePlaceKeys.ts"
import { Detail, Read, useReading } from "../list/Detail.tsx"
import { say } from "../screen/state.ts"
import { request, run } from "../service/request.ts"
import { Entries } from "./Entries.tsx"
import { list } from "./list.ts"
import { Activity, Next, State } from "./MissionParts.tsx"
import {
  type Choices,
  missionChange,
  missionFields,
  missionValues,
  newMission,
  newMissionValues
} from "./missionFields.ts"
import { change, Delete, Edit, New, refreshBoth } from "./parts.tsx"
import { counted, missionState } from "./words.ts"

const readChoices = async () => {
  const [agents, offers] = await Promise.all([run("agent.list", { limit: 100 }), run("offer.list", { limit: 100 })])
  // Who may not read them can still edit the rest.
  const data = { agents: agents.ok ? agents.data.agents : [], offers: offers.ok ? offers.data.offers : [] }
  return { ok: true as const, held: "", data }
}

interface Props {
  readonly mission: RestMission
  readonly refresh: () => Promise<void>
}

const starts = { PAUSED: "Resume", DRAFT: "Start", ACTIVE: "Pause", COMPLETED: "", ARCHIVED: "" }

const Actions = ({ mission: { handle, id, leadCount, name, status }, refresh }: Props) => {
  const shown = { refresh, list }
  const mission_id = id
  const toggle = () => {
    if (status === "ACTIVE")
      void change(shown, "mission.pause", { mission_id }, `${name} is paused. Approved messages wait.`)
    else if (starts[status] !== "") void change(shown, "mission.resume", { mission_id }, `${name} is active.`)
    else say(`${name} is ${missionState(status).toLowerCase()}: it can't be paused or resumed.`, "problem")
  }
  const complete = () =>
    confirm({
      title: `Complete ${name}?`,
      text: "Approved messages are no longer sent. A completed mission can't be resumed.",
      button: "Complete",
      onYes: () => void change(shown, "mission.complete", { mission_id }, `${name} is completed.`)
    })
  const archive = () =>
    confirm({
      title: `Archive ${name}?`,
      text: "It takes no new leads or drafts. Unsent messages are cancelled, and approved drafts go back to review.",
      button: "Archive",
      onYes: () => void change(shown, "mission.update", { mission_id, status: "archived" }, `${name} is archived.`)
    })
  const restore = () =>
    void change(shown, "mission.update", { mission_id, status: "active" }, `${name} is restored. Resume it to send.`)
  const refuse = (): boolean => {
    const has = `${name} has ${counted(leadCount, "lead")}.`
    if (leadCount > 0) say(`${has} Only a mission without leads can be deleted. Archive it instead.`, "problem")
    return leadCount > 0
  }
  usePlaceKeys([{ key: "p", text: "Pause or resume the mission", run: toggle }], `${id} ${status} ${name}`)
  return (
    <>
      {starts[status] !== "" && (
        <button type="button" class="primary" onClick={toggle}>
          {starts[status]} <kbd>P</kbd>
        </button>
      )}
      {(status === "ACTIVE" || status === "PAUSED") && (
        <button type="button" onClick={complete}>
          Complete
        </button>
      )}
      <button type="button" onClick={status === "ARCHIVED" ? restore : archive}>
        {status === "ARCHIVED" ? "Restore" : "Archive"}
      </button>
      <Delete
        name={handle}
        command="mission.delete"
        input={{ mission_id }}
        text="This can't be undone."
        list={list}
        refusal={refuse}
      />
    </>
  )
}

const Forms = ({ choices, mission, refresh }: Props & { readonly choices: Choices }) => {
  const { emailExamples, id } = mission
  const fields = missionFields(choices, mission)
  const onDone = () => void refreshBoth({ refresh, list })
  return (
    <>
      <Edit
        id={`mission ${id}`}
        title="Settings and brief"
        fields={fields}
        values={missionValues(fields, mission)}
        save={(changed, _, key) => run("mission.update", missionChange(id, fields, changed), { key })}
        onDone={onDone}
      />
      <Entries
        id={`mission ${id} example`}
        title="Example messages"
        add="Add an example"
        fields={[{ name: "text", label: "Message", kind: "area", rows: 6, required: true }]}
        entries={emailExamples.map((text) => ({ text }))}
        save={(entries, key) =>
          run("mission.update", { mission_id: id, example_messages: entries.map(({ text }) => text) }, { key })
        }
        onDone={onDone}
      />
    </>
  )
}

/** The mission. */
export const MissionDetail = ({ id }: { readonly id: string }) => {
  const { reading, refresh } = useReading(
    () => request<{ mission: RestMission }>("GET", `/api/v1/missions/${encodeURIComponent(id)}`),
    list.events
  )
  const choices = useReading(readChoices, /^offer\./)
  return (
    <Read reading={reading} refresh={refresh}>
      {({ mission }) => (
        <Detail
          title={mission.name}
          from="missions"
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
          from="missions"
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
