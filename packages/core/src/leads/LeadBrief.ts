/** The part of a mission's brief that a message to one of its leads needs. */
import * as Struct from "effect/Struct"
import type { MissionContent } from "../missions/Mission.ts"

const fields = [
  "language",
  "objective",
  "description",
  "whoAreThey",
  "whyWeContactThem",
  "desiredAction",
  "keyMessage",
  "ctaUrl",
  "toneInstructions"
] as const satisfies ReadonlyArray<keyof MissionContent>

/** It, with unset texts empty. */
export type LeadBrief = Pick<MissionContent, (typeof fields)[number]>

/** That part of a mission. */
export const leadBriefOf = (mission: LeadBrief): LeadBrief => Struct.pick(mission, fields)
