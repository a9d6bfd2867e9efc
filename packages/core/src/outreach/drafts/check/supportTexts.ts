/** The texts that a message's figures may rest on. Identifiers and addresses are left out: their numbers mean nothing. */
import type { LeadContent } from "../../../leads/Lead.ts"
import type { MissionContent } from "../../../missions/Mission.ts"

/** What is known of a person, as texts. */
export const leadTexts = (lead: LeadContent): ReadonlyArray<string> => [
  lead.headline,
  lead.jobTitle,
  lead.company,
  lead.companyHeadline,
  lead.companySize,
  lead.description,
  ...lead.experience.flatMap(({ description = "", duration, role }) => [role, duration, description]),
  ...lead.recentPosts.map(({ content }) => content)
]

/** The brief of a mission, as texts. */
export const briefTexts = (
  brief: Pick<
    MissionContent,
    "objective" | "description" | "whoAreThey" | "whyWeContactThem" | "desiredAction" | "keyMessage" | "emailExamples"
  >
): ReadonlyArray<string> => [
  brief.objective,
  brief.description,
  brief.whoAreThey,
  brief.whyWeContactThem,
  brief.desiredAction,
  brief.keyMessage,
  ...brief.emailExamples
]
