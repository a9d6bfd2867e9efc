/** Asks why an item is rejected, or what should change in it. */
import { askForm } from "../form/askForm.tsx"
import type { Field } from "../form/values.ts"
import { rejection, rewriteRequest } from "../outbox/calls.ts"
import { decideOn } from "../outbox/deciding.ts"
import { current } from "../queue/reading.ts"
import type { Item } from "../service/shapes.ts"

const shared = { name: "reason", required: true, maxLength: 500, autofocus: true }

const fields: Readonly<Record<"reject" | "rewrite", Field>> = {
  reject: {
    ...shared,
    label: "Reason, for the writer",
    suggestions: ["Wrong person", "Not the right moment", "Tone is off", "A fact is wrong"]
  },
  rewrite: {
    ...shared,
    label: "What should change",
    suggestions: ["Shorter", "Less formal", "Say why we write to them", "One clear question at the end"]
  }
}

/** The question. What is decided on is what is on the screen when it is answered. */
export const askReason = (item: Item, kind: "reject" | "rewrite"): void => {
  const name = item.lead?.name ?? "this item"
  const id = `reason to ${kind} ${item.item_id}`
  askForm({
    id,
    title: kind === "reject" ? `Reject ${item.kind} to ${name}` : `Ask for a new version for ${name}`,
    submit: kind === "reject" ? "Reject" : "Ask",
    fields: [fields[kind]],
    onSubmit: async ({ reason }) => ({ ok: true, data: String(reason).trim(), held: "" }),
    onDone: (reason) => {
      const details = current.value
      if (details === undefined || reason === "") return
      const proposal = kind === "reject" ? rejection(details, reason) : rewriteRequest(details, reason)
      decideOn(item, proposal && { ...proposal, typed: { id, value: { reason } } })
    }
  })
}
