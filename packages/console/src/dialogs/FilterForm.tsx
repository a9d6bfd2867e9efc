/** Which items of the queue are shown. */
import { useEffect } from "preact/hooks"
import type { Options } from "../form/values.ts"
import { openTab } from "../queue/reading.ts"
import { closeDialog, queue } from "../screen/state.ts"
import { agents, missions, readNames } from "../service/names.ts"
import type { Filters } from "../service/shapes.ts"
import { Cancel, Modal } from "./Modal.tsx"

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
  readonly options: Options
}

const Choice = ({ name, options, text, value }: ChoiceProps) => (
  <>
    <label for={`filter-${name}`}>{text}</label>
    <select id={`filter-${name}`} name={name} value={value ?? ""}>
      <option value="">Any</option>
      {options.map(([id, shown]) => (
        <option key={id} value={id} selected={id === value}>
          {shown}
        </option>
      ))}
    </select>
  </>
)

/** The form. What is chosen applies to the tab that is shown. */
export const FilterForm = () => {
  const { filters, tab } = queue.value
  useEffect(() => void readNames(), [])
  return (
    <Modal title="Filter">
      <form
        class="filter-form stack"
        onSubmit={(event) => {
          event.preventDefault()
          closeDialog()
          openTab(tab, filtersOf(event.currentTarget))
        }}
      >
        <Choice name="mission" text="Mission" value={filters.mission_id} options={missions.value} />
        <Choice name="agent" text="Agent" value={filters.agent_handle} options={agents.value} />
        <Choice
          name="finding"
          text="Issues"
          value={filters.finding}
          options={[
            ["none", "None"],
            ["any", "Any"],
            ["error", "Errors"]
          ]}
        />
        <Choice
          name="kind"
          text="Kind"
          value={filters.kind?.[0]}
          options={[
            ["message", "LinkedIn messages"],
            ["invitation", "Invitations"],
            ["email", "Emails"],
            ["approval", "Approval requests"],
            ["reply", "Replies"]
          ]}
        />
        <label for="filter-score">Minimum score</label>
        <input id="filter-score" name="score" type="number" min={0} max={100} defaultValue={filters.min_score} />
        <label class="check">
          <input name="flagged" type="checkbox" defaultChecked={filters.flagged === true} /> Only flagged
        </label>
        <div class="dialog-foot line">
          <button type="submit" class="primary">
            Show
          </button>
          <button
            type="button"
            onClick={() => {
              closeDialog()
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
