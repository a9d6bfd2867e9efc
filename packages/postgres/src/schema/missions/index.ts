/** Schema of missions. */
import type { SchemaPart } from "../SchemaPart.ts"
import { keepActivity } from "./keep_activity.function.ts"
import { keepEntries } from "./keep_entries.function.ts"
import { keepInvitations } from "./keep_invitations.function.ts"
import { keepLinkedActivity } from "./keep_linked_activity.function.ts"
import { keepMessages } from "./keep_messages.function.ts"
import { missionActivityIndexes } from "./mission_activity.indexes.ts"
import { missionActivityTable } from "./mission_activity.table.ts"
import { missionsIndexes } from "./missions.indexes.ts"
import { missionsTable } from "./missions.table.ts"

/** Missions, and what happened in them. */
export const missionsSchema: SchemaPart = {
  tables: [missionsTable, missionActivityTable],
  indexes: [missionsIndexes, missionActivityIndexes],
  functions: [keepEntries, keepMessages, keepInvitations, keepActivity, keepLinkedActivity]
}
