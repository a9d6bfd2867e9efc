/** `svc status`: what the workspace needs from a person now, and what it sends next, on one screen. */

import * as Command from "effect/cli/Command"
import * as Effect from "effect/Effect"
import { type Json, out, outJson } from "../Output.ts"
import { callCommand, objectsOf, type Target } from "../Target.ts"
import { cellOf, renderTable, stdoutSurface } from "../table.ts"
import { dayAndTime } from "../view/columns.ts"
import { baseUrl, json } from "./flags.ts"
import { withTarget } from "./runCommand.ts"

const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** What a person has to do, and the command for it. */
const need = (kind: string, text: string, command: string, count = 1) => ({ kind, count, text, command })

type Need = ReturnType<typeof need>

/** A need that is counted; none without any. */
const counted = (kind: string, count: unknown, command: string, one: string, many?: string): ReadonlyArray<Need> => {
  const number = Number(count ?? 0)
  return number > 0 ? [need(kind, plural(number, one, many), command, number)] : []
}

/** Accounts that cannot send. One that connects needs nobody. */
const accountNeeds = ({ name, status }: Json): ReadonlyArray<Need> => {
  if (status === "OK" || status === "CONNECTING") return []
  const state = String(status).toLowerCase()
  const text =
    status === "CREDENTIALS"
      ? `${name} must sign in to LinkedIn again`
      : `The LinkedIn account of ${name} is ${state === "error" ? "failing" : state}`
  return [need("account", text, "svc linkedin account list")]
}

const limitNeeds = (accounts: ReadonlyArray<Json>, { account_id, action, limit, remaining, window }: Json) => {
  if (remaining !== 0 || limit === 0) return []
  const name = accounts.find((account) => account["account_id"] === account_id)?.["name"] ?? account_id
  const span = window === "day" ? "24 hours" : "7 days"
  const text = `${name} reached the limit of ${limit} ${String(action).replaceAll("_", " ")}s in ${span}`
  return [need("limit", text, `svc linkedin usage get --account-id ${account_id}`)]
}

/** The part of the status that a command returns; empty where the key may not read it. */
const part = (target: Target, id: string, input: object = {}) =>
  callCommand(target, id, input).pipe(
    Effect.catchIf(
      ({ code }) => code === "FORBIDDEN_SCOPE",
      () => Effect.succeed<Json>({})
    )
  )

/** Items that are read of a list. */
const limit = 100

const shownSends = 5

/** What needs a person, and what sends next. Parts that the key may not read are left out. */
export const readStatus = Effect.fnUntraced(function* (target: Target) {
  const parts = yield* Effect.all(
    {
      workspace: callCommand(target, "workspace.status", {}),
      counts: part(target, "review.counts"),
      requests: part(target, "review.counts", { kind: ["approval"] }),
      replies: part(target, "review.list", { tab: "replies", limit }),
      approved: part(target, "review.list", { tab: "approved", limit }),
      accounts: part(target, "linkedin.account.list"),
      usage: part(target, "linkedin.usage.get"),
      forecast: part(target, "linkedin.queue.forecast")
    },
    { concurrency: "unbounded" }
  )
  const { counts, forecast, requests, workspace } = parts
  const accounts = objectsOf(parts.accounts["accounts"])
  const replies = objectsOf(parts.replies["items"]).filter(({ state }) => state === "waiting")
  const toReview = Number(counts["to_review"] ?? 0) - Number(requests["to_review"] ?? 0)
  const { interrupted } = Object(workspace["imports"])
  const held = forecast["on_hold"] === true
  const needs: ReadonlyArray<Need> = [
    ...(held ? [need("hold", "Sending is held", "svc sending status")] : []),
    ...(workspace["agents"] === 0 ? [need("setup", "Nobody to send as yet", "svc init")] : []),
    ...accounts.flatMap(accountNeeds),
    ...counted("problem", counts["problems"], "svc review list --tab problems", "sending problem"),
    ...counted("reply", replies.length, "svc review list --tab replies", "reply waiting", "replies waiting"),
    ...counted("request", requests["to_review"], "svc approval list --state pending", "approval request"),
    ...counted("review", toReview, "svc drafts review", "draft or email to review", "drafts and emails to review"),
    ...objectsOf(parts.usage["windows"]).flatMap((window) => limitNeeds(accounts, window)),
    ...counted("import", interrupted, "svc import list --state interrupted", "interrupted import")
  ]
  const sends = objectsOf(parts.approved["items"]).flatMap(({ agent, item_id, kind, lead, leaves_at }) =>
    typeof leaves_at === "string" && !held
      ? [{ sends_at: leaves_at, lead: Object(lead).name, kind, agent: Object(agent).name, item_id }]
      : []
  )
  const next = sends.toSorted((a, b) => (a.sends_at < b.sends_at ? -1 : 1))
  return {
    organization: cellOf(Object(workspace["organization"]).name),
    active_missions: Number(Object(workspace["missions"])["ACTIVE"]),
    sending_held: held,
    needs,
    next,
    sends_today: held ? 0 : Number(counts["leaving_today"] ?? 0)
  }
})

type Status = Effect.Success<ReturnType<typeof readStatus>>

const shown = ({ active_missions, needs, next, organization, sending_held, sends_today }: Status): string => {
  const surface = stdoutSurface()
  const tableOf = (columns: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<unknown>>, none: string) =>
    rows.length === 0 ? none : renderTable(columns, rows, surface)
  const sends = next.slice(0, shownSends).map((one) => [dayAndTime(one.sends_at), one.lead, one.kind, one.agent])
  const today = sends_today === 0 ? "" : ` Sends today: ${sends_today}.`
  const commands = needs.map(({ command, text }) => [text, command])
  const parts = [
    `${organization}: ${plural(active_missions, "active mission")}.${today}`,
    tableOf(["needs_you", "command"], commands, "Nothing needs you."),
    ...(sending_held ? [] : [tableOf(["sends_next", "to", "kind", "from"], sends, "Nothing waiting to send.")])
  ]
  return parts.join(surface.width === undefined ? "\n" : "\n\n")
}

/** `svc status`. */
export const status = Command.make("status", { baseUrl, json }, ({ baseUrl, json: asJson }) =>
  withTarget({ baseUrl }, (target) =>
    Effect.flatMap(readStatus(target), (found) => (asJson ? outJson(found, true) : out(shown(found))))
  )
).pipe(
  Command.withDescription(
    "Show what needs you now, with the command for it, and what sends next. svc doctor checks the service itself"
  ),
  Command.withShortDescription("Show what needs you and what sends next"),
  Command.withExamples([{ command: "svc status", description: "At the start of a day" }])
)
