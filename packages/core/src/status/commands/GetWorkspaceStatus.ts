import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../../Actor.ts"
import * as Command from "../../Command.ts"
import { staleAfterMillis } from "../../imports/index.ts"
import { LinkedInGateway } from "../../linkedin/index.ts"
import { isoFromMillis } from "../../Time.ts"
import { version } from "../../Version.ts"
import { statusOf, WorkspaceStatus } from "../WorkspaceStatus.ts"
import { WorkspaceStatusRepo } from "../WorkspaceStatusRepo.ts"

/** `workspace.status`: how the whole workspace stands. */
export const GetWorkspaceStatus = Command.make({
  id: "workspace.status",
  title: "Read the workspace's status",
  summary: "See how many offers, leads, missions, drafts, messages and imports there are, and what needs attention.",
  description:
    "Counts everything of the organization by state, says how the LinkedIn accounts are, and warns of what a person should " +
    "look at: drafts to review, sends with an unknown outcome, imports that were interrupted.",
  whenToUse: "First thing in a session, and whenever something does not move.",
  category: "workspace",
  risk: "read",
  scope: "missions:read",
  input: Schema.Struct({}),
  output: WorkspaceStatus,
  outputNotes: ["Every state is named, also those with nothing in them.", "warnings come most urgent first."],
  relatedCommands: ["mission.list", "linkedin.draft.list", "import.list", "linkedin.account.list"],
  relatedResources: ["svc://status", "svc://linkedin/drafts/pending"],
  examples: [{ title: "How things stand", input: {} }],
  run: Effect.fnUntraced(function* () {
    const { organizationId } = yield* Actor
    const staleBefore = isoFromMillis((yield* Clock.currentTimeMillis) - staleAfterMillis)
    const gateway = yield* LinkedInGateway
    const counts = yield* (yield* WorkspaceStatusRepo).count(organizationId, { staleBefore, gateway: gateway.name })
    const isAutomatic = gateway.automaticAccount({ id: "agt_any" }) !== undefined
    return statusOf(organizationId, counts, { version, gateway: { name: gateway.name, isAutomatic } })
  })
})
