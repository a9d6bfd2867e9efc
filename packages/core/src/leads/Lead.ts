/**
 * A lead: as callers see it, the spec's closed shape ({@link Lead}), and as it is stored ({@link LeadRow}).
 *
 * Unknown texts are empty strings in the row.
 */

import * as Schema from "effect/Schema"
import type { InstantText, LeadId, OrganizationId } from "../kernel/schema/RecordIds.ts"
import { LeadStatus } from "./LeadStatus.ts"

const text = Schema.String
const optional = Schema.optionalKey

/** A job that a lead had or has. `duration` is free text. */
const Experience = Schema.Struct({
  role: text,
  company: text,
  duration: text,
  description: optional(text)
})
type Experience = typeof Experience.Type

/** A school of a lead. `year` is free text. */
const Education = Schema.Struct({ school: text, degree: text, year: text })
type Education = typeof Education.Type

/** Something that a lead published. `date` is free text. */
const RecentPost = Schema.Struct({
  content: text,
  date: text,
  likes: Schema.Finite,
  comments: optional(Schema.Finite),
  url: optional(text)
})
type RecentPost = typeof RecentPost.Type

/** The channel of a message. */
export const MessageChannel = Schema.Literals(["EMAIL", "LINKEDIN"])
export type MessageChannel = typeof MessageChannel.Type

/** A message of a lead. `date` and `timestamp` are the same instant. */
export const Message = Schema.Struct({
  id: text,
  content: text,
  channel: MessageChannel,
  date: text,
  timestamp: optional(text),
  senderName: optional(text),
  isPending: optional(Schema.Boolean)
})
export type Message = typeof Message.Type

/** A lead as callers see it, the spec's closed shape. */
export const Lead = Schema.Struct({
  id: text,
  name: text,
  title: text,
  jobTitle: optional(text),
  company: text,
  score: Schema.Finite,
  avatarUrl: text,
  linkedinUrl: text,
  linkedin_url: text,
  status: LeadStatus,
  lastInteraction: optional(text),
  description: optional(text),
  linkedinProfileEnriched: optional(Schema.Boolean),
  location: optional(text),
  email: optional(text),
  phone: optional(text),
  timezone: optional(text),
  companyWebsite: optional(text),
  companyLogoUrl: optional(text),
  companyLinkedinUrl: optional(text),
  companyHeadline: optional(text),
  personalWebsite: optional(text),
  companyIndustry: optional(text),
  companySize: optional(text),
  experience: optional(Schema.Array(Experience)),
  education: optional(Schema.Array(Education)),
  skills: optional(Schema.Array(text)),
  recentPosts: optional(Schema.Array(RecentPost)),
  mission: optional(text),
  missions: optional(Schema.Array(text)),
  sentMessages: optional(Schema.Array(Message)),
  receivedMessages: optional(Schema.Array(Message)),
  addedDate: optional(text),
  isFlagged: optional(Schema.Boolean)
})
export type Lead = typeof Lead.Type

/** The plain text fields of a lead; empty when unknown. */
export interface LeadTexts {
  readonly headline: string
  readonly jobTitle: string
  readonly company: string
  readonly avatarUrl: string
  readonly location: string
  readonly phone: string
  readonly timezone: string
  readonly companyWebsite: string
  readonly companyLogoUrl: string
  readonly companyLinkedinUrl: string
  readonly companyHeadline: string
  readonly companyIndustry: string
  readonly companySize: string
  readonly personalWebsite: string
  readonly description: string
  /** Where the lead comes from, in the caller's words; answers the person's question where you got their data. */
  readonly source: string
}

/** What is known of a person. */
export interface LeadContent extends LeadTexts {
  /** Never empty: derived from an identifier when none was given. */
  readonly name: string
  /** Empty unless given separately. */
  readonly firstName: string
  readonly lastName: string
  /** The address to show and to write to; the identities hold all of them. */
  readonly email: string
  /** Canonical profile URL, or empty. */
  readonly linkedinUrl: string
  /** `token,authType,authToken` of Sales Navigator, which a gateway needs to act on the lead; or empty. */
  readonly salesNavTriple: string
  /** 0 to 100; 0 without a score. */
  readonly score: number
  readonly isFlagged: boolean
  readonly experience: ReadonlyArray<Experience>
  readonly education: ReadonlyArray<Education>
  readonly skills: ReadonlyArray<string>
  readonly recentPosts: ReadonlyArray<RecentPost>
}

/** Who wrote a field last: a caller, or an import. A field that was never written has no entry. */
export type FieldSource = "user" | "import"

/** A lead as it is stored. */
export interface LeadRow extends LeadContent {
  readonly id: LeadId
  readonly organizationId: OrganizationId
  readonly status: LeadStatus
  /** An import never overwrites what a user wrote. */
  readonly provenance: Readonly<Partial<Record<keyof LeadContent, FieldSource>>>
  /** Dates of the latest message of each direction. */
  readonly lastInboundAt: InstantText | null
  readonly lastOutboundAt: InstantText | null
  /** The lead that this one was merged into; null for a live lead. */
  readonly mergedInto: string | null
  readonly createdAt: InstantText
  readonly updatedAt: InstantText
}

/** Content with every field empty. */
export const emptyContent: LeadContent = {
  name: "",
  firstName: "",
  lastName: "",
  headline: "",
  jobTitle: "",
  company: "",
  email: "",
  linkedinUrl: "",
  salesNavTriple: "",
  score: 0,
  isFlagged: false,
  avatarUrl: "",
  location: "",
  phone: "",
  timezone: "",
  companyWebsite: "",
  companyLogoUrl: "",
  companyLinkedinUrl: "",
  companyHeadline: "",
  companyIndustry: "",
  companySize: "",
  personalWebsite: "",
  description: "",
  source: "",
  experience: [],
  education: [],
  skills: [],
  recentPosts: []
}

/** The names of all content fields. */
export const contentFields: ReadonlyArray<keyof LeadContent> = Object.keys(emptyContent).filter(
  (name): name is keyof LeadContent => Object.hasOwn(emptyContent, name)
)

/** The content of a stored lead. */
export const contentOf = (row: LeadRow): LeadContent => {
  const {
    id: _id,
    organizationId: _org,
    status: _status,
    provenance: _provenance,
    lastInboundAt: _in,
    lastOutboundAt: _out,
    mergedInto: _merged,
    createdAt: _created,
    updatedAt: _updated,
    ...content
  } = row
  return content
}

/** When the latest message was sent or received; null without messages. */
export const lastInteractionOf = (row: Pick<LeadRow, "lastInboundAt" | "lastOutboundAt">): string | null =>
  (row.lastInboundAt ?? "") > (row.lastOutboundAt ?? "") ? row.lastInboundAt : row.lastOutboundAt
