/** Filters under a name, for everybody in the organization. */
import { confirm } from "../dialogs/Confirm.tsx"
import { askForm } from "../form/askForm.tsx"
import { line } from "../form/values.ts"
import { filterBy, route } from "../place/route.ts"
import { act } from "../service/act.ts"
import { ownFields, readOwn, savedFilters } from "../service/names.ts"
import { run } from "../service/request.ts"
import { searchOf } from "./filters.ts"

const nameField = line("name", "Name", {
  required: true,
  maxLength: 100,
  autofocus: true,
  hint: "For everybody here; replaces filters with the same name. An email address is not saved."
})

const show = async (saved: { readonly saved_filter?: string }): Promise<void> => {
  await readOwn()
  filterBy(saved, "replace")
}

/** What can be done with the filters that are shown. */
export const filterActs = () => {
  const { email: _, saved_filter: name = "", sort: _sort, ...given } = searchOf(route.value.query, ownFields.value)
  const saved = savedFilters.value.find((one) => one.name.toLowerCase() === name.toLowerCase())
  const filter = { ...saved?.filter, ...given }
  const save = () =>
    askForm({
      id: "saved filter",
      title: "Save these filters",
      submit: "Save",
      isNew: true,
      fields: [nameField],
      values: { name },
      onSubmit: (values, _, key) => run("lead.filter.save", { name: String(values["name"]), filter }, { key }),
      onDone: (saved) => show({ saved_filter: saved.name })
    })
  const remove = () =>
    confirm({
      title: `Delete the saved filter ${name}?`,
      text: "For everybody here. Leads stay as they are.",
      button: "Delete",
      onYes: () => void act("lead.filter.save", { name, filter: null }, "Deleted.").then(() => show({}))
    })
  return [
    Object.keys(given).length > 0 && (name === "" || saved !== undefined) && { text: "Save filters…", run: save },
    name !== "" && { text: "Delete filter…", run: remove }
  ]
}
