/** Fields of leads that the organization defines for itself. */
import { askForm } from "../form/askForm.tsx"
import { choice, type Field, line } from "../form/values.ts"
import type { OwnField } from "../leads/ownFields.ts"
import { Card } from "../list/Detail.tsx"
import { Entries, type EntryContent } from "../list/Entries.tsx"
import { newInputOf } from "../missions/fields.ts"
import { listing } from "../place/Listing.ts"
import { act } from "../service/act.ts"
import { mapOutcome } from "../service/outcome.ts"
import { run } from "../service/request.ts"
import type { InputOf } from "../service/shapes.ts"

const list = listing<OwnField>(
  ({ key }) => key,
  /^$/,
  async () => mapOutcome(await run("lead.field.list", {}), ({ fields }) => ({ items: fields, next_cursor: null }))
)

const kinds = { text: "Text", number: "Number", date: "Date", choice: "Choice", boolean: "Yes or no" }

const label = line("label", "Name", { required: true, maxLength: 100, autofocus: true })
const choices: Field = { name: "choices", label: "Choices", kind: "list", hint: "One per line. Used ones must stay." }
const fixed = [
  line("key", "Key", { required: true, maxLength: 40, hint: "For files and the API, such as team_size." }),
  choice("type", "Kind", kinds, "Key and kind never change. Choices are for a choice only.")
]

/** Asks for a new field, or for changes of one. */
const ask = (field?: OwnField): void => {
  const fields = field === undefined ? [label, ...fixed, choices] : field.type === "choice" ? [label, choices] : [label]
  askForm({
    id: `own field ${field?.key ?? ""}`,
    title: field === undefined ? "New field" : `Change ${field.label}`,
    submit: "Save",
    fields,
    values: field === undefined ? { type: "text" } : { label: field.label, choices: field.choices.join("\n") },
    onSubmit: (values, _, key) => {
      const input = { key: field?.key, ...newInputOf(fields, values) }
      return run("lead.field.set", input as InputOf<"lead.field.set">, { key })
    },
    done: "Saved.",
    onDone: list.refresh
  })
}

/** Asks for a new field. */
export const askNewField = (): void => ask()

const entryOf = (field: OwnField): EntryContent => {
  const { archived, key } = field
  const turn = () =>
    void act("lead.field.set", { key, archived: !archived }, archived ? "Restored." : "Archived.").then(list.refresh)
  return {
    name: field.label,
    signs: [[kinds[field.type]], archived && ["Archived", "warning"]],
    about: [key, field.choices.join(", ")],
    actions: [
      ["Change…", () => ask(field)],
      [archived ? "Restore" : "Archive", turn]
    ]
  }
}

/** The section. */
export const OwnFields = () => (
  <Card title="Own fields">
    <Entries label="Own fields" list={list} empty="No fields of your own yet." entry={entryOf} />
    <p class="quiet">At most 50. An archived field keeps its values and takes no others.</p>
  </Card>
)
