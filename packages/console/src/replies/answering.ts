/** Sending an answer: a draft with the text of the screen, then an approval like any other. */
import { keyFor } from "../form/kept.ts"
import { approval } from "../outbox/calls.ts"
import { decideOn } from "../outbox/deciding.ts"
import { run } from "../service/request.ts"
import type { Details } from "../service/shapes.ts"

/** The name under which an answer is kept while it is not sent. */
export const keptAnswer = (leadId: string): string => `answer ${leadId}`

/** Stores the text, as the open draft or a new one. Returns the id of the draft, or what is wrong. */
const store = async ({ content_hash, draft, draft_with, item }: Details, index: number, text: string) => {
  if (draft !== null) {
    if (draft.variations[index]?.body_text === text) return { id: draft.draft_id }
    const hash = content_hash === null ? {} : { content_hash }
    const changed = await run("linkedin.draft.update", { draft_id: draft.draft_id, variations: [text], ...hash })
    return changed.ok ? { id: draft.draft_id } : { problem: changed.problem.message }
  }
  const input = {
    lead_id: item.item_id,
    variations: [text],
    ...(draft_with?.agent == null ? {} : { agent_handle: draft_with.agent.handle }),
    ...(draft_with?.mission == null ? {} : { mission_id: draft_with.mission.mission_id })
  }
  // The same text under the same key: a lost response makes no second draft.
  const created = await run("linkedin.draft.create", input, { key: keyFor(keptAnswer(item.item_id), text) })
  return created.ok ? { id: created.data.draft.draft_id } : { problem: created.problem.message }
}

/** The draft with the text that is on the screen, as it is stored now, or what is wrong. */
export const draftOf = async (details: Details, index: number, text: string): Promise<Details | string> => {
  const stored = await store(details, index, text)
  if (stored.problem !== undefined) return stored.problem
  const read = await run("review.get", { item_id: stored.id })
  return read.ok ? read.data : read.problem.message
}

/** Approves it: the decision is kept until the service has confirmed it, and can be undone. */
export const approveAnswer = (details: Details, index: number): void =>
  decideOn(details.item, approval(details, Math.min(index, (details.draft?.variations.length ?? 1) - 1)))
