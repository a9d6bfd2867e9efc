/** The in-memory table of notes. */
import { type Table, table } from "../../MemoryStore.ts"
import type { LeadNote } from "./LeadHistoryRepo.ts"

/** Notes by id. */
export const leadNotes: Table<LeadNote> = table("lead_notes")
