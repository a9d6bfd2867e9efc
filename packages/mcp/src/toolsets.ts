/**
 * Which tools a client sees: a default set that fits a conversation, everything, or the families that are named.
 *
 * Source: issue "default toolset of about 25"; contract 7 "MCP" (the six commands of the specification are always in it).
 */
import type { Category } from "@svc/core/Command"
import { type Failure, fail } from "@svc/core/Failure"
import { quote } from "@svc/core/Quote"
import * as Result from "effect/Result"

/** The six commands that the specification names. */
export const alwaysShown: ReadonlyArray<string> = [
  "offer.create",
  "lead.upsert",
  "linkedin.draft.create",
  "linkedin.draft.approve",
  "mission.update",
  "import.sales-nav.search"
]

/** The commands of the default set, in the order of the work. */
export const defaultCommands: ReadonlyArray<string> = [
  "workspace.status",
  "mission.next-actions",
  "offer.list",
  "offer.create",
  "mission.list",
  "mission.create",
  "mission.update",
  "mission.stats",
  "import.sales-nav.search",
  "lead.search",
  "lead.get",
  "lead.upsert",
  "lead.note.add",
  "lead.status.set",
  "linkedin.draft.list",
  "linkedin.draft.create",
  "linkedin.draft.check",
  "linkedin.draft.update",
  "linkedin.draft.approve",
  "linkedin.draft.cancel"
]

const categories: ReadonlyArray<Category> = [
  "offers",
  "leads",
  "linkedin",
  "missions",
  "imports",
  "agents",
  "workspace"
]

/** A choice of tools. */
export type Toolset = "default" | "all" | ReadonlySet<Category>

/** Reads `default`, `all`, or families such as `leads,linkedin`. Fails with INVALID_INPUT naming what can be chosen. */
export const parseToolset = (text: string): Result.Result<Toolset, Failure> => {
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
  const [only] = names
  if (names.length === 1 && (only === "default" || only === "all")) return Result.succeed(only)
  const known = names.flatMap((name) => categories.find((category) => category === name) ?? [])
  if (known.length === names.length && known.length > 0) return Result.succeed(new Set(known))
  const wrong = names.find((name) => !categories.some((category) => category === name)) ?? ""
  return Result.fail(
    fail(
      "INVALID_INPUT",
      `toolset: ${quote(wrong)} is none. Choose default, all, or some of ${categories.join(", ")}, joined by commas.`
    )
  )
}

/** Whether a toolset shows a command. */
export const isShown = (toolset: Toolset, command: { readonly id: string; readonly category: Category }): boolean => {
  if (alwaysShown.includes(command.id) || toolset === "all") return true
  return toolset === "default" ? defaultCommands.includes(command.id) : toolset.has(command.category)
}
