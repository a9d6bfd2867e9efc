import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { staleAfterMillis } from "../../../imports/ImportRun.ts"
import { Actor } from "../../../kernel/command/Actor.ts"
import * as Command from "../../../kernel/command/Command.ts"
import { isoFromMillis } from "../../../kernel/schema/Time.ts"
import { version } from "../../../kernel/schema/Version.ts"
import { LinkedInGateway } from "../../../outreach/provider/LinkedInGateway.ts"
import { statusOf, WorkspaceStatus } from "../WorkspaceStatus.ts"
import { WorkspaceStatusRepo } from "../WorkspaceStatusRepo.ts"

/** `workspace.status`: how the whole workspace stands. */
export const GetWorkspaceStatus = Command.make({
  id: "workspace.status",
  title: "Get the workspace status",
  summary: "Get workspace counts and what needs attention",
  description:
    "Counts offers, leads, missions, drafts, messages and imports by state, shows the health of LinkedIn accounts, " +
    "and warns of what needs a person: drafts to review, sends with an unknown outcome, interrupted imports.",
  whenToUse: "At the start of a session, and when something seems stuck.",
  category: "workspace",
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
    const counts = yield* (yield* WorkspaceStatusRepo).count(organizationId, { staleBefore, gateway: gateway.name })
    const isAutomatic = gateway.automaticAccount({ id: "agt_any" }) !== undefined
    return statusOf(organizationId, counts, { version, gateway: { name: gateway.name, isAutomatic } })
  })
})
