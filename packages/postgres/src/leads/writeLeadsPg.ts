/** Writing leads in PostgreSQL, one statement for all changes. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import { type LeadIdentityRow, type LeadsRepo, statusReason } from "@svc/core/leads"
import * as Effect from "effect/Effect"
import { orUnavailable, retryOnLockTimeout, retryOnUnique } from "../SqlFailure.ts"
import { parameterOf } from "./leadRows.ts"
import { suppressionColumns } from "./suppressionRows.ts"

const identityOf = ({ derived, kind, leadId, value }: LeadIdentityRow) => ({ kind, value, lead_id: leadId, derived })

/** {@link LeadsRepo} `write`. Builds the statement at once, even if the effect runs later. */
export const writer =
  (sql: PgClient): LeadsRepo["Service"]["write"] =>
  ({ created = [], held = [], isBulk = false, links = [], organizationId, released = [], rows, suppressed = [] }) => {
    const change = {
      created: created.map(parameterOf),
      rows: rows.map(parameterOf),
      held: held.map(identityOf),
      released: released.map(identityOf),
      links: links.map(({ at, leadId, missionId, touch }) => ({
        mission_id: missionId,
        lead_id: leadId,
        linked_at: at,
        touch
      })),
      suppressed: suppressed.map(suppressionColumns),
      statusReason
    }
    const statement = sql`select svc.svc_write_leads(${organizationId}, ${sql.json(change)})`
    return (isBulk ? retryOnLockTimeout(statement) : statement).pipe(
      // Another transaction may have taken a free identifier that was not locked.
      retryOnUnique("lead_identities_pkey"),
      orUnavailable,
      Effect.asVoid
    )
  }
