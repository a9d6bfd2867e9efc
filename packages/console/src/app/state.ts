/** The draft that the app shows, read with the tools of the client. */
import { signal } from "@preact/signals"
import type { Details } from "../service/shapes.ts"
import { ask, fieldsOf, type Json } from "./host.ts"

/** What is shown: the draft as last read, or why it could not be read. */
type Shown =
  | { readonly state: "loading" }
  | { readonly state: "failed"; readonly message: string }
  | { readonly state: "read"; readonly details: Details }

/** What is shown now. */
export const shown = signal<Shown>({ state: "loading" })

/** URL of the review page; empty if the service does not know its own. */
export const reviewPage = document.querySelector<HTMLMetaElement>('meta[name="svc-review"]')?.content ?? ""

const textsOf = (result: Json): ReadonlyArray<string> =>
  (Array.isArray(result["content"]) ? result["content"] : []).map((block) => String(fieldsOf(block)["text"] ?? ""))

/** The data of a tool's result: structured, or as its first text. */
const dataOf = (result: Json): Json => {
  const { structuredContent } = result
  if (structuredContent !== undefined) return fieldsOf(structuredContent)
  try {
    return fieldsOf(JSON.parse(textsOf(result)[0] ?? ""))
  } catch {
    return {}
  }
}

/** The id of the draft that a tool was called with, or returned. */
export const draftIdOf = (value: Json): string | undefined => {
  const result = dataOf(value)
  const id =
    value["draft_id"] ??
    value["item_id"] ??
    fieldsOf(result["draft"])["draft_id"] ??
    fieldsOf(result["item"])["item_id"]
  return typeof id === "string" ? id : undefined
}

let draftId: string | undefined
let told: string | undefined

const isDetails = (data: Json): data is Json & Details => data["item"] !== undefined && data["draft"] !== undefined

/** Tells the model what became of the draft, once for each state. */
const tellModel = async ({ draft, item }: Details): Promise<void> => {
  if (draft === null || told === draft.status) return
  const isFirst = told === undefined
  told = draft.status
  if (isFirst) return
  const text = `Draft ${item.item_id} is now ${draft.status}.`
  await ask("ui/update-model-context", { content: [{ type: "text", text }] }).catch(() => {})
}

/** Reads the draft again. */
export const read = async (id = draftId): Promise<void> => {
  draftId = id
  if (id === undefined) return
  const input = { command_id: "review.get", input: { item_id: id }, response_profile: "full" }
  try {
    const result = await ask("tools/call", { name: "command_run", arguments: input })
    const details = dataOf(result)
    if (result["isError"] === true || !isDetails(details)) {
      shown.value = { state: "failed", message: textsOf(result)[0] ?? "The draft could not be read." }
      return
    }
    shown.value = { state: "read", details }
    await tellModel(details)
  } catch (error) {
    shown.value = { state: "failed", message: error instanceof Error ? error.message : String(error) }
  }
}

/** Opens the draft on the review page, where a person decides with a session of their own. */
export const openReviewPage = (id: string): Promise<unknown> =>
  ask("ui/open-link", { url: `${reviewPage}/d/${encodeURIComponent(id)}` }).catch((error: Error) => {
    shown.value = { state: "failed", message: `The link could not be opened. ${error.message}` }
  })
