/**
 * The hints of a tool. Clients assume the worst of a missing one; of a tool that only reads, two say nothing by definition
 * and are left out.
 */
import type { AnyCommand } from "@svc/core"

/** Hints that a client may use before it calls a tool. */
export interface ToolHints {
  readonly readOnlyHint: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint: boolean
}

/** Last words of the ids of idempotent commands. */
const idempotentVerbs = new Set([
  "upsert",
  "update",
  "set",
  "publish",
  "delete",
  "cancel",
  "pause",
  "resume",
  "complete",
  "revoke",
  "erase",
  "merge",
  "suppress",
  "lift",
  "add",
  "remove",
  "record",
  "undo"
])

/** Last words of the ids of commands that delete or release something. */
const destructiveVerbs = new Set([
  "delete",
  "cancel",
  "revoke",
  "erase",
  "merge",
  "remove",
  "undo",
  "rotate",
  "approve"
])

/** The hints of a tool that only reads this workspace. */
export const readOnly: ToolHints = { readOnlyHint: true, openWorldHint: false }

/** The hints of a command. */
export const toolHintsOf = ({
  category,
  effects,
  id,
  risk
}: Pick<AnyCommand, "category" | "effects" | "id" | "risk">): ToolHints => {
  if (risk === "read") {
    return readOnly
  }
  const verb = id.split(".").at(-1) ?? id
  return {
    readOnlyHint: false,
    // An import of risk approval uses up searches, but destroys nothing.
    destructiveHint: (risk === "approval" && category !== "imports") || destructiveVerbs.has(verb),
    // A note that is sent twice is added twice.
    idempotentHint: idempotentVerbs.has(verb) && id !== "lead.note.add",
    openWorldHint: effects.channels.length > 0
  }
}
