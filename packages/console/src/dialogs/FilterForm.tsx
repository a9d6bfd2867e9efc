/** Which items of the queue are shown. */
import { signal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { openTab } from "../queue/reading.ts"
import { dialog, queue } from "../screen/state.ts"
import { run } from "../service/request.ts"
import type { Filters } from "../service/shapes.ts"
import { Cancel, Modal } from "./Modal.tsx"

type Named = ReadonlyArray<{ readonly id: string; readonly name: string }>

const missions = signal<Named>([])
const agents = signal<Named>([])

const readNames = async (): Promise<void> => {
  const [found, people] = await Promise.all([run("mission.list", { limit: 100 }), run("agent.list", { limit: 100 })])
  if (found.ok) missions.value = found.data.missions.map(({ id, name }) => ({ id, name }))
  if (people.ok)
    agents.value = people.data.agents.map(({ firstName, handle, lastName }) => ({
      id: handle,
      name: `${firstName} ${lastName}`
    }))
}

const filtersOf = (form: HTMLFormElement): Filters => {
  const data = new FormData(form)
  const text = (name: string) => String(data.get(name) ?? "")
  const [mission, agent, finding, kind, score] = ["mission", "agent", "finding", "kind", "score"].map(text)
  const { query } = queue.value.filters
  return {
    ...(query === undefined ? {} : { query }),
    ...(mission ? { mission_id: mission } : {}),
    ...(agent ? { agent_handle: agent } : {}),
    ...(finding ? { finding: finding as "none" | "any" | "error" } : {}),
    ...(kind ? { kind: [kind as NonNullable<Filters["kind"]>[number]] } : {}),
    ...(score ? { min_score: Number(score) } : {}),
    ...(data.get("flagged") === null ? {} : { flagged: true })
  }
}

interface ChoiceProps {
  readonly name: string
  readonly text: string
  readonly value: string | undefined
  readonly options: Named
}

const Choice = ({ name, options, text, value }: ChoiceProps) => (
  <>
    <label for={`filter-${name}`}>{text}</label>
    <select id={`filter-${name}`} name={name} value={value ?? ""}>
      <option value="">Any</option>
      {options.map(({ id, name: shown }) => (
        <option key={id} value={id} selected={id === value}>
          {shown}
        </option>
      ))}
    </select>
  </>
)

/** See above. */
export const FilterForm = () => {
  const { filters, tab } = queue.value
  useEffect(() => void readNames(), [])
  return (
    <Modal title="Filter">
      <form
        class="filter-form"
        onSubmit={(event) => {
          event.preventDefault()
          dialog.value = undefined
          openTab(tab, filtersOf(event.currentTarget))
        }}
      >
        <Choice name="mission" text="Mission" value={filters.mission_id} options={missions.value} />
        <Choice name="agent" text="Agent" value={filters.agent_handle} options={agents.value} />
        <Choice
          name="finding"
          text="Findings"
          value={filters.finding}
          options={[
            { id: "none", name: "None" },
            { id: "any", name: "Some" },
            { id: "error", name: "Errors" }
          ]}
        />
        <Choice
          name="kind"
          text="Kind"
          value={filters.kind?.[0]}
          options={[
            { id: "message", name: "LinkedIn messages" },
            { id: "invitation", name: "Invitations" },
            { id: "email", name: "Emails" },
            { id: "approval", name: "Approval requests" },
            { id: "reply", name: "Replies" }
          ]}
        />
        <label for="filter-score">Lowest score</label>
        <input id="filter-score" name="score" type="number" min={0} max={100} defaultValue={filters.min_score} />
        <label class="check">
          <input name="flagged" type="checkbox" defaultChecked={filters.flagged === true} /> Only flagged
        </label>
        <div class="dialog-foot">
          <button type="submit" class="primary">
            Show
          </button>
          <button
            type="button"
            onClick={() => {
              dialog.value = undefined
              openTab(tab, {})
            }}
          >
            Clear all
          </button>
          <Cancel />
        </div>
      </form>
    </Modal>
  )
}
