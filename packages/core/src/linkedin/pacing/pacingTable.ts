/** The in-memory table of how accounts are paced. */
import { type Table, type Tables, table } from "../../MemoryStore.ts"
import { type AccountPace, freshPace } from "./Pacing.ts"

/** Paces by account; an account has a row from its first queue item on. */
export const paces: Table<AccountPace & { readonly accountId: string }> = table("linkedin_pacing")

/** Changes what is stored of an account's pace. */
export const changePace = (
  tables: Tables,
  organizationId: string,
  accountId: string,
  change: Partial<AccountPace>
): void => {
  const before = tables.get(paces, organizationId, accountId) ?? { accountId, ...freshPace }
  tables.set(paces, organizationId, accountId, { ...before, ...change })
}
