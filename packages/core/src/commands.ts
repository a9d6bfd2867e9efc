/** Every command of the product. */
import * as agents from "./agents/commands.ts"
import * as email from "./email/commands.ts"
import * as imports from "./imports/commands.ts"
import type { AnyCommand } from "./kernel/command/Command.ts"
import * as leads from "./leads/commands.ts"
import * as missions from "./missions/commands.ts"
import * as offers from "./offers/commands.ts"
import * as linkedin from "./outreach/commands.ts"
import * as reports from "./reports/commands.ts"
import * as review from "./review/commands.ts"
import * as runs from "./runs/commands.ts"
import * as webhooks from "./webhooks/commands.ts"
import * as approvals from "./workspace/approvals/commands.ts"
import * as audit from "./workspace/audit/commands.ts"
import * as keys from "./workspace/keys/commands.ts"

/** The commands that are listed, by category. */
export const commands = [
  ...offers.commands,
  ...leads.commands,
  ...reports.leadCommands,
  ...linkedin.commands,
  ...reports.queueCommands,
  ...review.commands,
  ...email.commands,
  ...missions.commands,
  ...reports.missionCommands,
  ...imports.commands,
  ...agents.commands,
  ...reports.workspaceCommands,
  ...audit.commands,
  ...runs.commands,
  ...approvals.commands,
  ...keys.commands,
  ...webhooks.commands
] as const satisfies ReadonlyArray<AnyCommand>

/** A command that is listed. */
export type Commands = (typeof commands)[number]
