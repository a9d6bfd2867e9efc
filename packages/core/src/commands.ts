/** Every command of the product: the public catalogue, and what backs REST. Source: catalogue 4.1. */
import * as agents from "./agents/index.ts"
import * as approvals from "./approvals/index.ts"
import * as audit from "./audit/index.ts"
import * as email from "./email/index.ts"
import * as events from "./events/index.ts"
import * as imports from "./imports/index.ts"
import * as keys from "./keys/index.ts"
import * as leads from "./leads/index.ts"
import * as linkedin from "./linkedin/index.ts"
import * as missions from "./missions/index.ts"
import * as offers from "./offers/index.ts"
import * as status from "./status/index.ts"
import * as webhooks from "./webhooks/index.ts"

/** The commands that are listed, by category. */
export const commands = [
  ...offers.commands,
  ...leads.commands,
  ...linkedin.commands,
  ...email.commands,
  ...missions.commands,
  ...imports.commands,
  ...agents.commands,
  ...status.commands,
  ...audit.commands,
  ...approvals.commands,
  ...keys.commands,
  ...webhooks.commands
] as const

/** A command that is listed. */
export type Commands = (typeof commands)[number]

/** The commands behind the REST endpoints. */
export const restCommands = [
  ...offers.restCommands,
  ...leads.restCommands,
  ...missions.restCommands,
  ...imports.restCommands,
  ...agents.restCommands,
  ...events.restCommands,
  ...audit.restCommands,
  ...keys.restCommands,
  ...webhooks.restCommands
] as const
