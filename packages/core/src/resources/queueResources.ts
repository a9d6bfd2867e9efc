/** Resources of what is on its way to LinkedIn. */
import { GetUsage } from "../linkedin/commands/GetUsage.ts"
import { ListQueue } from "../linkedin/commands/ListQueue.ts"
import * as Resource from "../Resource.ts"

/** `svc://linkedin/queue`. */
export const queueResource = Resource.make({
  uri: "svc://linkedin/queue",
  name: "linkedin-queue",
  title: "LinkedIn queue",
  summary: "Messages that are not settled: which, why, and until when; oldest first, at most 100.",
  description: "The first 100 queue items that wait, are being sent, or of which the outcome is unknown.",
  category: "linkedin",
  scope: ListQueue.scope,
  relatedCommands: ["linkedin.queue.list", "linkedin.queue.cancel", "linkedin.queue.resolve"],
  params: Resource.noParams,
  example: {},
  payload: ListQueue.output,
  compact: ListQueue.compact,
  read: () => ListQueue.run({ limit: 100 })
})

/** `svc://linkedin/usage`. */
export const usageResource = Resource.make({
  uri: "svc://linkedin/usage",
  name: "linkedin-usage",
  title: "LinkedIn usage",
  summary: "How much each LinkedIn account did and may still do, and when what waits will leave.",
  description:
    "Used and allowed messages and invitations in rolling windows, with a forecast for each waiting message.",
  category: "linkedin",
  scope: GetUsage.scope,
  relatedCommands: ["linkedin.usage.get", "linkedin.usage.set-limits"],
  params: Resource.noParams,
  example: {},
  payload: GetUsage.output,
  compact: GetUsage.compact,
  read: () => GetUsage.run({})
})
