/** Notes when offers and missions were last used. */
import type { PgClient } from "@effect/sql-pg/PgClient"
import type { InstantText, OrganizationId } from "@svc/core"
import * as Effect from "effect/Effect"
import { orUnavailable } from "./SqlFailure.ts"

/**
 * Sets `last_used_at` to an instant that is later. Skips a locked row: whoever holds it uses it too, and waiting for them
 * while holding leads could deadlock.
 */
export const touchLastUsed = (
  sql: PgClient,
  table: "missions" | "offers",
  organizationId: OrganizationId,
  id: string,
  at: InstantText
) =>
  sql`
    update ${sql.literal(`svc.${table}`)} set last_used_at = ${at}::timestamptz
    where organization_id = ${organizationId} and id = (
      select id from ${sql.literal(`svc.${table}`)}
      where organization_id = ${organizationId} and id = ${id}
        and (last_used_at is null or last_used_at < ${at}::timestamptz)
      for no key update skip locked)
  `.pipe(orUnavailable, Effect.asVoid)
