/** Runs of agents: what other parts of core may use. */
import { ListRuns } from "./commands/ListRuns.ts"
import { UndoRun } from "./commands/UndoRun.ts"

/** The commands of this domain. */
export const commands = [ListRuns, UndoRun] as const
