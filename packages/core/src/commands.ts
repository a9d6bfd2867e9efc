/** Every command of the product. */
import * as agents from "./agents/commands.ts"
import * as email from "./email/commands.ts"
import * as imports from "./imports/commands.ts"
import type { AnyCommand } from "./kernel/command/Command.ts"
import * as leads from "./leads/commands.ts"
import * as missions from "./missions/commands.ts"
import * as offers from "./offers/commands.ts"
import * as linkedin from "./outreach/commands.ts"
import { ListNextActions, ReadMissionActivity, ReadMissionStats } from "./reports/commands.ts"
import { ForecastQueue } from "./reports/forecast/queueForecast.ts"
import { GetWorkspaceStatus } from "./reports/status/WorkspaceStatus.ts"
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
  ListNextActions,
  ...linkedin.commands,
  ForecastQueue,
  ...review.commands,
  ...email.commands,
  ...missions.commands,
  ReadMissionStats,
  ReadMissionActivity,
  ...imports.commands,
  ...agents.commands,
  GetWorkspaceStatus,
  ...audit.commands,
  ...runs.commands,
  ...approvals.commands,
  ...keys.commands,
  ...webhooks.commands
] as const satisfies ReadonlyArray<AnyCommand>

/** A command that is listed. */
export type Commands = (typeof commands)[number]
