/** The follow-ups that a mission plans, in their order. */
import { choice, type Field, line } from "../form/values.ts"
import { Read, useReading } from "../list/Detail.tsx"
import { run } from "../service/request.ts"
import type { ResultOf } from "../service/shapes.ts"
import { EditEntries } from "./EditEntries.tsx"
import { channelName, counted } from "./words.ts"

type Step = ResultOf<"mission.steps.get">["steps"][number]

const fields: ReadonlyArray<Field> = [
  choice("after", "When", { no_reply: "Without a reply", invitation_accepted: "After an accepted invitation" }),
  line("working_days", "Working days to wait", { kind: "number", min: 0, max: 60, required: true }),
  choice("channel", "Channel", { LINKEDIN: "LinkedIn", EMAIL: "Email" }),
  line("purpose", "Purpose", { required: true, maxLength: 500, hint: "An instruction to the writer." }),
  line("evidence", "Evidence wanted", { maxLength: 500, hint: "Facts that the text should rest on." })
]

const nameOf = ({ after, channel, purpose, working_days }: Step, at: number): string => {
  const when = after === "no_reply" ? "without a reply" : "after an accepted invitation"
  return `${at + 1}. ${channelName(channel)}, ${counted(working_days, "working day")} ${when}: ${purpose}`
}

/** The list. */
export const Steps = ({ mission_id }: { readonly mission_id: string }) => {
  const save = (steps: ReadonlyArray<Step>, key: string) => {
    const written = steps.map(({ evidence, ...step }) => (evidence ? { ...step, evidence } : step))
    return run("mission.steps.set", { mission_id, steps: written }, { key })
  }
  return (
    <Read {...useReading(() => run("mission.steps.get", { mission_id }), /^mission\.updated/)}>
      {({ steps }, refresh) => (
        <EditEntries
          id={`mission ${mission_id} step`}
          title="Follow-ups"
          add="Add a follow-up"
          fields={fields}
          entries={steps}
          order={{ max: 5, nameOf }}
          save={save}
          onDone={refresh}
        />
      )}
    </Read>
  )
}
