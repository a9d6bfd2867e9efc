/** What a drafting agent needs next, added to outputs of drafts: the content hash, and the findings of new texts. */
import { contentHashOf } from "@svc/core/outreach"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type { Params } from "./JsonRpc.ts"
import type { CallResult, RunCall, Workspace } from "./Workspace.ts"

const textAt = (value: unknown, name: string): string =>
  Predicate.isReadonlyObject(value) && Predicate.isString(value[name]) ? value[name] : ""

const withHash = (draft: Params): Params => ({
  ...draft,
  content_hash: contentHashOf({
    leadId: textAt(draft["lead"], "lead_id"),
    agentId: textAt(draft["agent"], "agent_id"),
    variations: (Array.isArray(draft["variations"]) ? draft["variations"] : []).map((item) => textAt(item, "body_text"))
  })
})

const isDraft = (value: unknown): value is Params => Predicate.isReadonlyObject(value) && "draft_id" in value

/** The output, with the content hash of each draft that it holds whole. */
export const withContentHashes = (data: unknown): unknown => {
  if (!Predicate.isReadonlyObject(data)) return data
  const { draft, drafts } = data
  if (isDraft(draft)) return { ...data, draft: withHash(draft) }
  if (Array.isArray(drafts)) return { ...data, drafts: drafts.map((item) => (isDraft(item) ? withHash(item) : item)) }
  return data
}

const writes = new Set(["linkedin.draft.create", "linkedin.draft.update"])

/** Adds the findings of a draft that was just written. A key that may not check gets none. */
export const withFindings = (workspace: Workspace, call: RunCall, result: CallResult): Effect.Effect<CallResult> => {
  const isWritten = result.ok && writes.has(call.command) && call.options.dry_run !== "true"
  const data = result.ok && Predicate.isReadonlyObject(result.data) ? result.data : {}
  const draft_id = textAt(data["draft"], "draft_id")
  if (!isWritten || draft_id === "") return Effect.succeed(result)
  return Effect.map(
    workspace.run({ command: "linkedin.draft.check", input: { draft_id }, options: {} }),
    (checked): CallResult =>
      checked.ok && Predicate.isReadonlyObject(checked.data)
        ? { ...result, data: { ...data, ...checked.data } }
        : result
  )
}
