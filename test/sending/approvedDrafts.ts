/** An organization with approved drafts that leave through the fake provider: what the tests of killed workers begin with. */

import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { AccountsRepo } from "#core/outreach/provider/AccountsRepo.ts"
import { agents, lead } from "../core/linkedin/linkedInWorld.ts"
import { organization } from "../support/organization.ts"
import { ok } from "../support/World.ts"

/** The organization `org_a`, whose agent writes through the fake's account `acct-1`, with an approved draft for each person. */
export const approvedDrafts = Effect.fnUntraced(function* (slugs: ReadonlyArray<string>) {
  yield* organization("org_a")
  yield* agents()
  const sql = yield* SqlClient
  const [agent] = yield* sql<{ readonly id: string }>`select id from svc.agents`
  const at = new Date(0).toISOString()
  yield* (yield* AccountsRepo).ensure({
    id: "acc_1",
    organizationId: "org_a",
    agentId: agent?.id ?? "",
    gateway: "unipile",
    gatewayAccountId: "acct-1",
    status: "OK",
    tier: "SALES_NAVIGATOR",
    features: [],
    createdAt: at,
    updatedAt: at
  })
  yield* Effect.forEach(
    slugs,
    (slug) =>
      Effect.gen(function* () {
        const lead_id = yield* lead(slug)
        const input = { lead_id, agent_handle: "ada-martin", variations: [`Hello ${slug}`] }
        const { draft } = yield* ok<{ draft: { draft_id: string } }>("linkedin.draft.create", input)
        yield* ok("linkedin.draft.approve", { draft_id: draft.draft_id })
      }),
    { concurrency: 6, discard: true }
  )
})
