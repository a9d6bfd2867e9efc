/** Toolsets: a default set that fits a conversation with the host's own commands, all that clients take, or some categories. */
import { type Category, Command, didYouMean, type Failure, InvalidInput, quote } from "@svc/core"
import * as Result from "effect/Result"

/** Commands in every toolset. */
export const alwaysShown: ReadonlyArray<string> = [
  "offer.create",
  "lead.upsert",
  "linkedin.draft.create",
  "linkedin.draft.approve",
  "mission.update",
  "import.sales-nav.search"
]

/** Also in every list of categories, which has no tool to run other commands: what became of a call that a person decides on. */
const outcomes = "approval.get"

/** The other commands of the default toolset, in the order of a workflow. */
export const defaultCommands: ReadonlyArray<string> = [
  "workspace.status",
  "mission.next-actions",
  "offer.list",
  "agent.list",
  "mission.list",
  "mission.create",
  "mission.stats",
  "lead.search",
  "lead.get",
  "lead.note.add",
  "lead.status.set",
  "linkedin.draft.list",
  "linkedin.draft.get",
  "linkedin.draft.create-many",
  "linkedin.draft.check",
  "linkedin.draft.update",
  "linkedin.draft.cancel"
]

/**
 * Set-up commands that toolset `all` does not list: clients take 128 tools at most. `command_run` reaches them there, and the toolset
 * of their category lists them.
 */
export const setupCommands: ReadonlyArray<string> = [
  "mission.steps.get",
  "mission.steps.set",
  "lead.field.set",
  "lead.field.list",
  "lead.filter.save",
  "lead.filter.list"
]

/** A selection of tools. */
export type Toolset = "default" | "all" | ReadonlySet<Category>

/** Parses `default`, `all`, or categories such as `leads,linkedin`. Fails with INVALID_INPUT naming the choices. */
export const parseToolset = (text: string): Result.Result<Toolset, Failure> => {
  const names = text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "")
  const [only] = names
  if (names.length === 1 && (only === "default" || only === "all")) return Result.succeed(only)
  const known = names.flatMap((name) => Command.categories.find((category) => category === name) ?? [])
  if (known.length === names.length && known.length > 0) return Result.succeed(new Set(known))
  const wrong = names.find((name) => !Command.categories.some((category) => category === name)) ?? ""
  return Result.fail(
    new InvalidInput({
      message: `Unknown toolset ${quote(wrong)}.${didYouMean(wrong, ["default", "all", ...Command.categories])} Use default, all, or a comma-separated list of ${Command.categories.join(", ")}.`
    })
  )
}

/** Whether a toolset shows a command. */
export const isShown = (toolset: Toolset, command: { readonly id: string; readonly category: Category }): boolean => {
  if (alwaysShown.includes(command.id)) return true
  if (toolset === "all") return !setupCommands.includes(command.id)
  if (toolset === "default") return defaultCommands.includes(command.id) || command.category === "custom"
  return toolset.has(command.category) || command.id === outcomes
}
