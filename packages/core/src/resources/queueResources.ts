/** Resources for the LinkedIn queue and usage. */

import * as Resource from "../kernel/resource/Resource.ts"
import { GetUsage } from "../outreach/transmission/commands/GetUsage.ts"
import { ListQueue } from "../outreach/transmission/commands/ListQueue.ts"

/** `svc://linkedin/queue`. */
export const queueResource = Resource.ofCommand(ListQueue, {
  uri: "svc://linkedin/queue",
  name: "linkedin-queue",
  title: "LinkedIn queue",
  summary: "Unsettled messages with reason and next attempt, oldest first, at most 25",
  description:
    "The first 25 queue items that are waiting, being sent, or have an unknown outcome. Pass next_cursor to linkedin.queue.list for more.",
  relatedCommands: ["linkedin.queue.list", "linkedin.queue.cancel", "linkedin.queue.resolve"],
  params: Resource.noParams,
  example: {},
  input: () => ({ limit: 25 })
})

/** `svc://linkedin/usage`. */
export const usageResource = Resource.ofCommand(GetUsage, {
  uri: "svc://linkedin/usage",
  name: "linkedin-usage",
  title: "LinkedIn usage",
  summary: "Usage and limits of each LinkedIn account, with send forecasts",
  description: "Used and allowed messages and invitations in rolling windows, with a forecast for each queued message.",
  relatedCommands: ["linkedin.usage.get", "linkedin.usage.set-limits"],
  params: Resource.noParams,
  example: {},
  input: () => ({})
})
