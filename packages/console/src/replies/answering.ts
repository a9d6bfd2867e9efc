/** Sending an answer: a draft with the text of the screen, then an approval like any other. */
import { keyFor } from "../form/kept.ts"
import { approval, hashed } from "../outbox/calls.ts"
import { decideOn } from "../outbox/deciding.ts"
import { heldNote } from "../service/act.ts"
import { run } from "../service/request.ts"
import type { Details } from "../service/shapes.ts"

/** The name under which an answer is kept while it is not sent. */
export const keptAnswer = (leadId: string): string => `answer ${leadId}`

/** What came of storing a text: a draft, a request for an approval, or what is wrong. */
interface Stored {
  readonly id?: string
  readonly details?: Details
  readonly held?: string
  readonly problem?: string
}

/** Stores the text, as the open draft or a new one. Returns the id of the draft, or why there is none. */
const store = async (
  { content_hash, draft, draft_with, item }: Details,
  index: number,
  text: string
): Promise<Stored> => {
  if (draft !== null) {
    if (draft.variations[index]?.body_text === text) return { id: draft.draft_id }
    const input = { draft_id: draft.draft_id, variations: [text], ...hashed(content_hash) }
    const changed = await run("linkedin.draft.update", input)
    if (!changed.ok) return { problem: changed.problem.message }
    return changed.held === "" ? { id: draft.draft_id } : { held: heldNote }
  }
  const input = {
    lead_id: item.item_id,
    variations: [text],
    ...(draft_with?.agent == null ? {} : { agent_handle: draft_with.agent.handle }),
    ...(draft_with?.mission == null ? {} : { mission_id: draft_with.mission.mission_id })
  }
  // The same text under the same key: a lost response makes no second draft.
  const created = await run("linkedin.draft.create", input, { key: keyFor(keptAnswer(item.item_id), text) })
  if (!created.ok) return { problem: created.problem.message }
  return created.held === "" ? { id: created.data.draft.draft_id } : { held: heldNote }
}

/** The draft with the text that is on the screen, as it is stored now; `held` if a policy made a request of it. */
export const draftOf = async (details: Details, index: number, text: string): Promise<Stored> => {
  const stored = await store(details, index, text)
  if (stored.id === undefined) return stored
  const read = await run("review.get", { item_id: stored.id })
  return read.ok ? { details: read.data } : { problem: read.problem.message }
}

/** Approves it: the decision is kept until the service has confirmed it, and can be undone. */
export const approveAnswer = (details: Details, index: number): void =>
  decideOn(details.item, approval(details, Math.min(index, (details.draft?.variations.length ?? 1) - 1)))
