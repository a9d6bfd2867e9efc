/** The status of a workspace in one document: counts, warnings and the version of the build. */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { ImportState, staleAfterMillis } from "../../imports/ImportRun.ts"
import * as Command from "../../kernel/command/Command.ts"
import { Actor } from "../../kernel/command/Execution.ts"
import { isoFromMillis } from "../../kernel/schema/IdsAndTime.ts"
import { version } from "../../kernel/schema/Version.ts"
import { LeadStatus } from "../../leads/LeadStatus.ts"
import { MissionStatus } from "../../missions/MissionStatus.ts"
import { DraftQueueState, DraftStatus } from "../../outreach/LinkedInDraft.ts"
import { AccountStatus } from "../../outreach/provider/LinkedInAccount.ts"
import { LinkedInGateway } from "../../outreach/provider/LinkedInGateway.ts"
import { type CountKind, ReportsRepo, type StatusCount } from "../ReportsRepo.ts"
import { tally } from "../statistics/MissionStatistics.ts"

const count = Schema.Int

/** The states of offers. */
const OfferState = Schema.Literals(["ready", "draft"])

const each = <L extends string>(states: Schema.Literals<ReadonlyArray<L>>) => Schema.Record(states, count)

/** The output of `workspace.status`. */
const WorkspaceStatus = Schema.Struct({
  organization: Schema.Struct({ id: Schema.String, name: Schema.String }),
  version: Schema.String.annotate({ description: "Version of the running build" }),
  offers: each(OfferState),
  leads: each(LeadStatus),
  missions: each(MissionStatus),
  agents: count,
  drafts: each(DraftStatus),
  queue: each(DraftQueueState).annotate({ description: "Messages by queue state, including settled ones" }),
  imports: each(ImportState),
  ambiguous_sends: count.annotate({ description: "Messages with an unknown outcome" }),
  gateway: Schema.Struct({
    name: Schema.String.annotate({ description: "The LinkedIn gateway in use" }),
    healthy: Schema.Boolean.annotate({ description: "Whether all accounts can send" }),
    accounts: each(AccountStatus)
  }),
  warnings: Schema.Array(Schema.String).annotate({ description: "What needs a person, most urgent first" })
})

const numberOf = (counts: ReadonlyArray<StatusCount>, kind: CountKind, state?: string): number =>
  counts
    .filter((entry) => entry.kind === kind && (state === undefined || entry.state === state))
    .reduce((sum, entry) => sum + entry.count, 0)

const plural = (number: number, one: string, many: string): string => `${number} ${number === 1 ? one : many}`

/** Accounts by status; if the gateway provides accounts automatically, agents without a stored one have a healthy one. */
const accountsOf = (counts: ReadonlyArray<StatusCount>, isAutomatic: boolean): Record<AccountStatus, number> => {
  const stored = tally(AccountStatus.literals, (state) => numberOf(counts, "accounts", state))
  const brought = isAutomatic ? numberOf(counts, "agents") - numberOf(counts, "accounts") : 0
  return { ...stored, OK: stored.OK + Math.max(0, brought) }
}

const warningsOf = (counts: ReadonlyArray<StatusCount>): ReadonlyArray<string> => {
  const ambiguous = numberOf(counts, "queue", "ambiguous")
  const interrupted = numberOf(counts, "imports", "interrupted")
  const sick = numberOf(counts, "accounts") - numberOf(counts, "accounts", "OK")
  const pending = numberOf(counts, "drafts", "PENDING_REVIEW")
  return [
    ambiguous > 0
      ? `${plural(ambiguous, "message has", "messages have")} an unknown outcome: check the conversation on LinkedIn.`
      : null,
    sick > 0 ? `${plural(sick, "LinkedIn account is", "LinkedIn accounts are")} not connected: reconnect first.` : null,
    interrupted > 0
      ? `${plural(interrupted, "import was", "imports were")} interrupted: run import.sales-nav.search again with refresh.`
      : null,
    numberOf(counts, "agents") === 0 ? "There is no agent yet: create one with agent.create." : null,
    pending > 0
      ? `${plural(pending, "draft is", "drafts are")} waiting for review in svc://linkedin/drafts/pending.`
      : null
  ].filter((warning) => warning !== null)
}

/** `workspace.status`: how the whole workspace stands. */
export const GetWorkspaceStatus = Command.make({
  id: "workspace.status",
  title: "Get the workspace status",
  summary: "Get workspace counts and what needs attention",
  description:
    "Counts offers, leads, missions, drafts, messages and imports by state, shows the health of LinkedIn accounts, " +
    "and warns of what needs a person: drafts to review, sends with an unknown outcome, interrupted imports.",
  whenToUse: "At the start of a session, and when something seems stuck.",
  risk: "read",
  scope: "missions:read",
  effects: { does: ["reads"], channels: ["linkedin"] },
  input: Schema.Struct({}),
  output: WorkspaceStatus,
  failures: [],
  outputNotes: ["Every state is listed, including those with a count of 0.", "warnings are sorted by urgency."],
  relatedCommands: ["mission.list", "linkedin.draft.list", "import.list", "linkedin.account.list"],
  relatedResources: ["svc://status", "svc://linkedin/drafts/pending"],
  examples: [{ title: "Workspace status", input: {} }],
  run: Effect.fnUntraced(function* () {
    const { organizationId } = yield* Actor
    const staleBefore = isoFromMillis((yield* Clock.currentTimeMillis) - staleAfterMillis)
    const gateway = yield* LinkedInGateway
    const isAutomatic = gateway.automaticAccount({ id: "agt_any" }) !== undefined
    const question = { staleBefore, gateway: gateway.name }
    const { counts, organizationName = "" } = yield* (yield* ReportsRepo).status(organizationId, question)
    const statesOf = <State extends string>(kind: CountKind, states: { readonly literals: ReadonlyArray<State> }) =>
      tally(states.literals, (state) => numberOf(counts, kind, state))
    return {
      organization: { id: organizationId, name: organizationName },
      version,
      offers: statesOf("offers", OfferState),
      leads: statesOf("leads", LeadStatus),
      missions: statesOf("missions", MissionStatus),
      agents: numberOf(counts, "agents"),
      drafts: statesOf("drafts", DraftStatus),
      queue: statesOf("queue", DraftQueueState),
      imports: statesOf("imports", ImportState),
      ambiguous_sends: numberOf(counts, "queue", "ambiguous"),
      gateway: {
        name: gateway.name,
        healthy: numberOf(counts, "accounts") === numberOf(counts, "accounts", "OK"),
        accounts: accountsOf(counts, isAutomatic)
      },
      warnings: warningsOf(counts)
    }
  })
})
