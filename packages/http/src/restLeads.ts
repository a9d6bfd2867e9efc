/** Leads in REST: a single lead, and lists. */
import { Instant, NextCursor, type OutputOf } from "@svc/core"
import type { Commands } from "@svc/core/commands"
import { compactLead, Lead, LeadStatus } from "@svc/core/leads"
import * as Schema from "effect/Schema"

const text = Schema.String

/** One lead, without the other output of `lead.get` and `lead.upsert`. */
export const oneLead = {
  schema: Schema.Struct({ lead: Lead }),
  show: ({ lead }: { readonly lead: Lead }) => ({ lead })
}

/** {@link oneLead} in the compact profile. */
export const shortLead = ({ lead }: { readonly lead: Lead }) => {
  const { output, warnings } = compactLead(lead)
  return { output: { lead: output }, warnings }
}

const ListedLead = Schema.Struct({
  id: text,
  name: text,
  title: text,
  jobTitle: text,
  company: text,
  email: Schema.NullOr(text),
  linkedinUrl: text,
  avatarUrl: text,
  score: Schema.Finite,
  status: LeadStatus,
  isFlagged: Schema.Boolean,
  lastInteraction: Schema.NullOr(Instant),
  addedDate: Instant,
  updatedAt: Instant
})

type SearchOutput = OutputOf<Extract<Commands, { readonly id: "lead.search" }>>

/** A page of leads. */
export const listedLeads = {
  schema: Schema.Struct({ leads: Schema.Array(ListedLead), count: Schema.Int, nextCursor: NextCursor }),
  show: ({ count, leads, next_cursor }: SearchOutput) => ({
    leads: leads.map((lead) => ({
      id: lead.lead_id,
      name: lead.name,
      title: lead.headline || lead.job_title,
      jobTitle: lead.job_title,
      company: lead.company,
      email: lead.email,
      linkedinUrl: lead.linkedin_url,
      avatarUrl: lead.avatar_url,
      score: lead.score,
      status: lead.status,
      isFlagged: lead.is_flagged,
      lastInteraction: lead.last_interaction,
      addedDate: lead.created_at,
      updatedAt: lead.updated_at
    })),
    count,
    nextCursor: next_cursor
  })
}
