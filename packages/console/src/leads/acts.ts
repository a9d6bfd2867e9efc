/** What a person does with a lead: questions and forms over the page. */
import { confirm } from "../dialogs/Confirm.tsx"
import { askForm } from "../form/askForm.tsx"
import type { Field, Options, Values } from "../form/values.ts"
import { go, showItem } from "../place/route.ts"
import { startOfDay } from "../queue/times.ts"
import { say } from "../screen/state.ts"
import { act } from "../service/act.ts"
import { missions, ownFields } from "../service/names.ts"
import { run } from "../service/request.ts"
import type { InputOf } from "../service/shapes.ts"
import { type Found, factFields, factsOf, type Lead, writtenOf } from "./facts.ts"
import { leads } from "./list.ts"
import { active, ownFormField } from "./ownFields.ts"

type Again = () => Promise<void>

const reasonField: Field = { name: "reason", label: "Reason", required: true, maxLength: 500, autofocus: true }

const missionField = (options: Options): Field => ({
  name: "mission_id",
  label: "Mission",
  kind: "choice",
  options
})

/** Finds the person of a form, or adds them. */
const findOrAdd = async ({ email, linkedin_url }: Values, changed: Values, key: string) => {
  const who = writtenOf({ ...(email ? { email } : {}), ...(linkedin_url ? { linkedin_url } : {}) })
  const known = email || linkedin_url ? await run("lead.get", who as InputOf<"lead.get">) : undefined
  if (known?.ok) return { ...known, data: { ...known.data, isKnown: true } }
  if (known !== undefined && known.problem.code !== "NOT_FOUND") return known
  const added = await run("lead.upsert", writtenOf(changed), { key })
  return added.ok ? { ...added, data: { ...added.data, isKnown: false } } : added
}

const newFields = ["name", "email", "linkedin_url", "job_title", "company"]

/** Asks who to add. Somebody who is a lead already is opened instead, unchanged. */
export const addPerson = (): void =>
  askForm({
    id: "new lead",
    title: "Add a person",
    submit: "Add",
    isNew: true,
    fields: [
      ...factFields.filter(({ name }) => newFields.includes(name)),
      missionField([["", "None"], ...missions.value])
    ],
    onSubmit: findOrAdd,
    done: ({ isKnown, lead }) => `${lead.name} ${isKnown ? "is a lead already. Nothing was changed." : "was added."}`,
    onDone: ({ lead_id }) => go({ place: "leads", item: lead_id })
  })

/** Asks for changed facts. */
export const editFacts = ({ lead, ...beside }: Found, onDone: Again): void =>
  askForm({
    id: `lead ${lead.id}`,
    title: `Edit ${lead.name}`,
    submit: "Save",
    fields: [...factFields, ...active(ownFields.value).map((one) => ownFormField(one))],
    values: factsOf(lead, beside),
    onSubmit: (_, changed, key) =>
      run("lead.upsert", { lead_id: lead.id, ...writtenOf(changed, ownFields.value) }, { key }),
    done: "Saved.",
    onDone
  })

/** Asks for a note. */
export const addNote = (lead: Lead, onDone: Again): void =>
  askForm({
    id: `note ${lead.id}`,
    title: `Note about ${lead.name}`,
    submit: "Add note",
    fields: [{ name: "text", label: "Note", kind: "area", required: true, maxLength: 4_000, autofocus: true }],
    onSubmit: ({ text }, _, key) => run("lead.note.add", { lead_id: lead.id, text: String(text) }, { key }),
    done: "Note added.",
    onDone
  })

/** Asks for a mission to add somebody to. */
export const addToMission = (lead: Lead, onDone: Again): void => {
  const options = missions.value.filter(([, name]) => lead.missions?.includes(name) !== true)
  const [[first] = [""]] = options
  if (first === "") say("There is no other mission.")
  else
    askForm({
      id: `mission of ${lead.id}`,
      title: `Add ${lead.name} to a mission`,
      submit: "Add",
      isNew: true,
      fields: [missionField(options)],
      values: { mission_id: first },
      onSubmit: ({ mission_id }, _, key) =>
        run("lead.mission.add", { lead_ids: [lead.id], mission_id: String(mission_id) }, { key }),
      done: ({ refused }) =>
        refused.length === 0 ? "Added to the mission." : `Not added: ${lead.name} must not be contacted.`,
      onDone
    })
}

/** Asks, then takes somebody out of a mission. */
export const removeFromMission = (
  { id, name }: Lead,
  mission: { readonly mission_id: string; readonly name: string },
  onDone: Again
): void =>
  confirm({
    title: `Remove ${name} from ${mission.name}?`,
    text: "Drafts of this mission that are not sent yet are cancelled.",
    button: "Remove",
    onYes: () =>
      void act("lead.mission.remove", { lead_ids: [id], mission_id: mission.mission_id }, "Removed.").then(onDone)
  })

type Target = { readonly lead_id: string } | { readonly domain: string }

/** Asks why, and until when, a person or a domain must not be contacted. */
export const exclude = (name: string, target: Target, onDone: Again): void =>
  askForm({
    id: `exclude ${JSON.stringify(target)}`,
    title: `Exclude ${name} from contact`,
    submit: "Exclude",
    fields: [
      reasonField,
      { name: "until", label: "Until", kind: "date", hint: "Empty: for good, and drafts are cancelled." }
    ],
    onSubmit: ({ reason, until }, _, key) => {
      const end = until === "" ? {} : { until: startOfDay(String(until)) }
      return run("lead.suppress", { ...target, reason: String(reason), ...end }, { key })
    },
    done: `No contact with ${name}.`,
    onDone
  })

/** Asks why somebody may be contacted again. */
export const lift = (name: string, target: Target, onDone: Again): void =>
  askForm({
    id: `lift ${JSON.stringify(target)}`,
    title: `Allow contact: ${name}`,
    submit: "Allow contact",
    fields: [reasonField],
    onSubmit: ({ reason }, _, key) => run("lead.suppression.lift", { ...target, reason: String(reason) }, { key }),
    done: "Contact is allowed again.",
    onDone
  })

const inShort = ({ company, email, linkedinUrl, name }: Lead): string =>
  `${name} (${[company, email, linkedinUrl].filter(Boolean).join(", ")})`

/** Asks whether records are one person, showing them, and merges the others into one. */
export const merge = (winner: Lead, all: ReadonlyArray<Lead>): void => {
  const losers = all.filter((one) => one !== winner)
  confirm({
    title: "Merge these records?",
    text:
      `${inShort(winner)} stays. ${losers.map(inShort).join(" and ")} is merged into it, with messages, notes and ` +
      "missions. You can't undo this.",
    button: "Merge",
    onYes: async () => {
      const input = { winner_lead_id: winner.id, loser_lead_ids: losers.map(({ id }) => id) }
      const merged = await act("lead.merge", input, "Merged.")
      if (merged.ok && merged.held === "") go({ item: winner.id, query: {} }, "replace")
    }
  })
}

/** Saves everything that is stored about a person as a file. */
export const exportLead = async ({ id, name }: Lead): Promise<void> => {
  const found = await run("lead.export", { lead_id: id })
  if (!found.ok) {
    say(`Not exported. ${found.problem.message}`, "problem")
    return
  }
  const link = document.createElement("a")
  link.href = URL.createObjectURL(new Blob([JSON.stringify(found.data.export, null, 2)], { type: "application/json" }))
  link.download = `${name}.json`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
  say("Exported as a file.")
}

/** Erases a person, once their email address or name is typed. */
export const erase = ({ email, id, name }: Lead): void =>
  confirm({
    title: `Erase ${name}?`,
    text: "Deletes the person, messages, notes and drafts, and keeps them from being imported again. You can't undo this.",
    button: "Erase",
    typed: email ?? name,
    onYes: async () => {
      const erased = await act("lead.erase", { lead_id: id, confirm: id }, `${name} was erased.`)
      if (!erased.ok || erased.held !== "") return
      const { rows } = leads
      rows.value = { ...rows.value, items: rows.value.items.filter(({ lead_id }) => lead_id !== id) }
      showItem(undefined, "replace")
    }
  })
