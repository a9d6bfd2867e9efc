/** An answer that is sent is a draft first, or an e-mail in review: with the text of the screen. */
import { keyFor } from "../form/kept.ts"
import { hashed } from "../outbox/calls.ts"
import { heldNote } from "../service/act.ts"
import { mapOutcome, type Outcome } from "../service/outcome.ts"
import { run } from "../service/request.ts"
import type { Details } from "../service/shapes.ts"
import type { Mailed } from "./mailed.ts"

/** The name under which an answer is kept while it is not sent. */
export const keptAnswer = (leadId: string): string => `answer ${leadId}`

/** Stores the text, as the open draft or a new one. */
const store = async (
  { content_hash, draft, draft_with, item }: Details,
  index: number,
  text: string
): Promise<Outcome<{ readonly draft: { readonly draft_id: string } }>> => {
  if (draft !== null) {
    if (draft.variations[index]?.body_text === text) return { ok: true, data: { draft }, held: "" }
    const input = { draft_id: draft.draft_id, variations: [text], ...hashed(content_hash) }
    return mapOutcome(await run("linkedin.draft.update", input), () => ({ draft }))
  }
  const input = {
    lead_id: item.item_id,
    variations: [text],
    ...(draft_with?.agent == null ? {} : { agent_handle: draft_with.agent.handle }),
    ...(draft_with?.mission == null ? {} : { mission_id: draft_with.mission.mission_id })
  }
  // The same text under the same key: a lost response makes no second draft.
  return run("linkedin.draft.create", input, { key: keyFor(keptAnswer(item.item_id), text) })
}

/** Stores the text as an e-mail. */
const write = async ({ to }: Mailed, subject: string, text: string) => {
  const key = keyFor(keptAnswer(to.lead_id), `${subject}\n${text}`)
  return mapOutcome(await run("email.send", { ...to, subject, body_text: text }, { key }), ({ email }) => email)
}

/** The answer as it is stored now, with the text that is on the screen; or what is said where nobody is to approve it. */
export const answerOf = async (
  details: Details,
  index: number,
  text: string,
  mailed: Mailed | undefined,
  subject: string
): Promise<Outcome<Details | string>> => {
  const written = mailed && (await write(mailed, subject, text))
  const stored = written ?? (await store(details, index, text))
  if (!stored.ok) return stored
  if (stored.held !== "") return { ...stored, data: heldNote }
  if (written?.ok && written.data.state !== "in_review")
    return { ...written, data: "Sent without review, as its mission says." }
  return run("review.get", { item_id: "draft" in stored.data ? stored.data.draft.draft_id : stored.data.email_id })
}
