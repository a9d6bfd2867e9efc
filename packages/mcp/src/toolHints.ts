/**
 * The four hints of a tool, read off the command. All four are always given: a client takes a missing one for the worst.
 *
 * Source: issue "annotations all four, from risk"; ecosystem 1.4.
 */
import type { AnyCommand } from "@svc/core/Command"

/** What a client may show or ask about before it calls a tool. */
export interface ToolHints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

/** Last words of ids whose second run with the same input changes nothing more. */
const repeatable = new Set([
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

/** Last words of ids that take something away or let something out. */
const final = new Set(["delete", "cancel", "revoke", "erase", "merge", "remove", "undo", "rotate", "approve"])

/** The hints of a command. */
export const toolHintsOf = ({
  category,
  id,
  outward,
  risk
}: Pick<AnyCommand, "category" | "id" | "outward" | "risk">): ToolHints => {
  if (risk === "read") {
    return { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  }
  const verb = id.split(".").at(-1) ?? id
  return {
    readOnlyHint: false,
    // An import of risk approval uses up searches, but destroys nothing.
    destructiveHint: (risk === "approval" && category !== "imports") || final.has(verb),
    // What a note says is added twice when it is sent twice.
    idempotentHint: repeatable.has(verb) && id !== "lead.note.add",
    openWorldHint: outward
  }
}
