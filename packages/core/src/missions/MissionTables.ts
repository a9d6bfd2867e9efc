/** The in-memory tables of missions. */
import { table } from "../MemoryStore.ts"
import type { MissionRow } from "./Mission.ts"

/** Missions by id. */
export const missions = table<MissionRow>("missions")
