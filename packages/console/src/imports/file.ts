/** The file that is about to be imported: kept while somebody looks elsewhere in the page. */
import { signal } from "@preact/signals"
import { newId } from "../form/kept.ts"
import type { Values } from "../form/values.ts"
import { basisFields } from "../leads/facts.ts"
import { newInputOf } from "../missions/fields.ts"
import { go, route } from "../place/route.ts"
import { say } from "../screen/state.ts"
import { request, run } from "../service/request.ts"
import type { ResultOf } from "../service/shapes.ts"
import { headOf, textOf } from "./table.ts"

/** Bytes of the file that are looked at before. */
const headSize = 128 * 1024

type Result = ResultOf<"import.csv">

/** A file, what is chosen for it, and what a dry run with its head said. */
export interface Chosen {
  readonly file: File
  readonly text: string
  readonly head: ReturnType<typeof headOf>
  readonly mission: string
  /** What the person chose for columns; null ignores one. */
  readonly mapping: Readonly<Record<string, string | null>>
  readonly tried?: Result
  readonly problem?: string | undefined
}

export const chosen = signal<Chosen | undefined>(undefined)
/** What rows get that have no such value. */
export const defaults = signal<Values>({})
/** The rows that the running upload read so far. */
export const uploaded = signal<number | undefined>(undefined)

/** Takes another mission or mapping, and tries it without storing anything. */
export const change = async (to: Partial<Chosen>): Promise<void> => {
  if (chosen.value === undefined) return
  const mine = { ...chosen.value, ...to }
  chosen.value = mine
  const { mapping, mission, text } = mine
  if (mission === "") return
  const outcome = await run(
    "import.csv",
    { mission_id: mission, content: text, mapping, again: true },
    { isDryRun: true }
  )
  if (chosen.value !== mine) return
  chosen.value = outcome.ok
    ? { ...mine, tried: outcome.data, problem: undefined }
    : { ...mine, problem: outcome.problem.message }
}

/** Looks at a file. */
export const chooseFile = async (file: File): Promise<void> => {
  const text = textOf(new Uint8Array(await file.slice(0, headSize).arrayBuffer()))
  const whole = file.size > headSize ? text.slice(0, text.lastIndexOf("\n") + 1) : text
  if (whole.trim() === "") {
    say(`${file.name} is empty.`, "problem")
    return
  }
  const mission = chosen.value?.mission ?? route.peek().query["mission_id"] ?? ""
  chosen.value = { file, text: whole, head: headOf(whole), mission, mapping: {} }
  await change({})
}

/** The field of each column: chosen, or found by the service. */
export const fieldsOf = ({ head, mapping, tried }: Chosen): ReadonlyArray<string | null> =>
  head.columns.map((name, index) => mapping[name] ?? (name in mapping ? null : (tried?.mapping[index]?.field ?? null)))

const countRows = async (mission: string): Promise<void> => {
  const found = await run("import.list", { mission_id: mission, state: "running", type: "CSV", limit: 1 })
  const [running] = found.ok ? found.data.imports : []
  if (running !== undefined && uploaded.value !== undefined) uploaded.value = running.progress.seen
}

const askToStay = (event: Event): void => event.preventDefault()

const send = ({ file, mapping, mission }: Chosen) => {
  const query = new URLSearchParams({
    ...newInputOf(basisFields, defaults.peek()),
    name: file.name.slice(0, 200),
    mapping: JSON.stringify(mapping)
  })
  const path = `/api/v1/missions/${encodeURIComponent(mission)}/imports?${query}`
  return request<{ import: Result }>("POST", path, { body: file, idempotencyKey: newId() })
}

/** Imports the file, which the service reads as it arrives; it stays chosen until that was done. */
export const upload = async (): Promise<void> => {
  const now = chosen.peek()
  if (now === undefined) return
  if (uploaded.value !== undefined || now.mission === "") {
    say(now.mission === "" ? "Choose a mission first." : "The import is running.")
    return
  }
  uploaded.value = 0
  const timer = setInterval(() => void countRows(now.mission), 1000)
  addEventListener("beforeunload", askToStay)
  const outcome = await send(now)
  removeEventListener("beforeunload", askToStay)
  clearInterval(timer)
  uploaded.value = undefined
  if (!outcome.ok) {
    chosen.value = { ...now, problem: outcome.problem.message }
    say(`Not imported. ${outcome.problem.message}`, "problem")
  } else if (outcome.held !== "") {
    say("A policy asks another person to approve this first. The request is under Review.")
  } else {
    const { created_count, import_id, message } = outcome.data.import
    chosen.value = undefined
    defaults.value = {}
    say(message ?? `Imported ${now.file.name}: ${created_count} new.`)
    if (route.value.place === "import") go({ item: import_id })
  }
}
