/** `lead.upsert` of the peer: two statements, one that finds and one that writes. */
import { Failure } from "./Failure.ts"
import { domainsOf, type Identity, readIdentities } from "./identities.ts"
import { type LeadRow, leadColumns, leadOf, type Profile } from "./leadShape.ts"
import { type Call, type Command, journalParameters, type Plan, withJournal } from "./runCommand.ts"
import { makeId } from "./text.ts"

const columns = ["name", "headline", "job_title", "company"] as const

/** Fields kept in `profile`: as sent, and as shown. */
const profileFields = {
  location: "location",
  phone: "phone",
  timezone: "timezone",
  description: "description",
  company_website: "companyWebsite",
  company_industry: "companyIndustry",
  company_size: "companySize",
  personal_website: "personalWebsite"
} as const

type ProfileField = keyof typeof profileFields

interface UpsertInput extends Partial<Record<Exclude<(typeof columns)[number], "name"> | ProfileField, string | null>> {
  readonly lead_id?: string
  readonly email?: string | null
  readonly linkedin_url?: string | null
  readonly name?: string
  readonly status?: string
  readonly is_flagged?: boolean
  readonly score?: number
}

const nullableText = (maxLength: number) => ({ type: ["string", "null"], maxLength })

/** JSON schema of the input. */
export const upsertInput = {
  type: "object",
  additionalProperties: false,
  properties: {
    lead_id: { type: "string", minLength: 1, maxLength: 64 },
    email: nullableText(500),
    linkedin_url: nullableText(4_000),
    name: { type: "string", maxLength: 200 },
    headline: nullableText(500),
    job_title: nullableText(200),
    company: nullableText(200),
    location: nullableText(200),
    phone: nullableText(64),
    timezone: nullableText(64),
    description: nullableText(10_000),
    company_website: nullableText(2_000),
    company_industry: nullableText(200),
    company_size: nullableText(100),
    personal_website: nullableText(2_000),
    status: {
      enum: ["New", "Waiting", "Contacted", "Replied", "MeetingBooked", "Interested", "NotInterested", "DoNotContact"]
    },
    is_flagged: { type: "boolean" },
    score: { type: "number", minimum: 0, maximum: 100 }
  }
}

/** Finds the leads that hold some identifiers. */
export const findLeads = {
  name: "find_leads",
  text: `select s.suppressed, f.*
    from (
      select exists (
        select 1 from unnest($5::text[], $6::text[]) g (kind, value)
        join suppressions s on s.organization_id = $1 and s.kind = g.kind and s.value = g.value
        where s.until is null or s.until > now()) as suppressed
    ) s
    left join lateral (
      select h.held, ${leadColumns}
      from (
        select i.lead_id, array_agg(i.kind || ':' || i.value) as held
        from unnest($2::text[], $3::text[]) g (kind, value)
        join lead_identities i on i.organization_id = $1 and i.kind = g.kind and i.value = g.value
        group by i.lead_id
        union all
        select $4::text, '{}' where $4::text is not null
      ) h
      join leads l on l.organization_id = $1 and l.id = h.lead_id
    ) f on true`
}

interface FoundRow extends LeadRow {
  readonly suppressed: boolean
  readonly held: ReadonlyArray<string>
}

const p = (index: number, type: string): string => `$${journalParameters + index}::${type}`

/** Of the identities 1 (kinds) and 2 (values) to the lead 3. */
const attach = `held as (
    insert into lead_identities (organization_id, kind, value, lead_id)
    select $1::text, g.kind, g.value, ${p(3, "text")}
    from written, unnest(${p(1, "text[]")}, ${p(2, "text[]")}) g (kind, value)
  )`

const content = [
  p(4, "text"),
  p(5, "text"),
  p(6, "text"),
  p(7, "text"),
  p(8, "text"),
  p(9, "text"),
  p(10, "text"),
  p(11, "float8"),
  p(12, "boolean"),
  p(13, "jsonb")
].join(", ")
const contentColumns = "name, headline, job_title, company, email, linkedin_url, status, score, is_flagged, profile"

/** Writes a new lead. */
export const createLead = withJournal(
  "create_lead",
  `written as (
    insert into leads (organization_id, id, avatar_url, created_at, updated_at, ${contentColumns})
    values ($1::text, ${p(3, "text")}, '', $8::timestamptz, $8::timestamptz, ${content})
    returning id
  ), ${attach}`
)

/** Changes a lead. */
export const updateLead = withJournal(
  "update_lead",
  `written as (
    update leads set (${contentColumns}) = (${content}), updated_at = $8::timestamptz, version = version + 1
    where organization_id = $1::text and id = ${p(3, "text")} and version = ${p(14, "int")}
    returning id
  ), ${attach}`
)

const note = withJournal("note", "written as (select 1)")

const nameOf = (identities: ReadonlyArray<Identity>): string => {
  for (const { kind, value } of identities) {
    const words = (kind === "email" ? (value.split("@")[0] ?? "") : value)
      .split(/[-._+]/)
      .filter((word) => word !== "" && !/\d/.test(word))
    if (words.length > 0) return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(" ")
  }
  return identities[0]?.value ?? ""
}

const profileOf = (input: UpsertInput, before: Profile, changed: Array<string>): Profile => {
  let profile = before
  for (const field in profileFields) {
    const value = input[field as ProfileField]
    const shown = profileFields[field as ProfileField]
    if (value === undefined || (value || undefined) === before[shown]) continue
    profile = { ...profile, [shown]: value || undefined }
    changed.push(shown)
  }
  return profile
}

const blank = {
  name: "",
  headline: "",
  job_title: "",
  company: "",
  email: "",
  linkedin_url: "",
  avatar_url: "",
  status: "New",
  score: 0,
  is_flagged: false,
  profile: {},
  version: 0,
  last_inbound_at: null,
  last_outbound_at: null,
  messages: [],
  missions: []
}

const plan = async ({ actor, at, input, query }: Call<UpsertInput>): Promise<Plan> => {
  const { email, identities, linkedinUrl } = readIdentities(input.email, input.linkedin_url)
  const { lead_id: leadId = null } = input
  if (identities.length === 0 && leadId === null)
    throw new Failure(400, "IDENTIFIER_REQUIRED", "Send lead_id, email or linkedin_url.")
  const kinds = identities.map(({ kind }) => kind)
  const values = identities.map(({ value }) => value)
  const domains = domainsOf(email)
  const rows = await query<FoundRow>(findLeads, [
    actor.organizationId,
    kinds,
    values,
    leadId,
    [...kinds, ...domains.map(() => "domain")],
    [...values, ...domains]
  ])
  const leads = new Map(rows.flatMap((row) => (row.id === null ? [] : [[row.id, row] as const])))
  if (leadId !== null && !leads.has(leadId)) throw new Failure(404, "NOT_FOUND", `Lead ${leadId} not found.`)
  if (leads.size > 1) {
    const owners = rows.flatMap((row) => row.held.map((held) => `${held.replace(":", " ")} belongs to ${row.id}`))
    const message = `The identifiers belong to ${leads.size} leads: ${[...leads.keys()].join(", ")}.`
    throw new Failure(409, "IDENTITY_CONFLICT", message, owners)
  }
  const [before] = leads.values()
  const held = new Set(rows.flatMap((row) => row.held ?? []))
  const free = identities.filter(({ kind, value }) => !held.has(`${kind}:${value}`))
  const isSuppressed = rows[0]?.suppressed === true
  const base: LeadRow = before ?? { ...blank, id: makeId("ld"), created_at: at, updated_at: at }
  const changed: Array<string> = []
  const take = <A>(field: string, value: A | undefined, old: A): A => {
    if (value === undefined || value === old) return old
    changed.push(field)
    return value
  }
  const text = (value: string | null | undefined): string | undefined => (value === null ? "" : value?.trim())
  const after: LeadRow = {
    ...base,
    name: take("name", text(input.name) || (before === undefined ? nameOf(identities) : undefined), base.name),
    headline: take("headline", text(input.headline), base.headline),
    job_title: take("jobTitle", text(input.job_title), base.job_title),
    company: take("company", text(input.company), base.company),
    email: take("email", base.email === "" ? email : undefined, base.email),
    linkedin_url: take("linkedinUrl", base.linkedin_url === "" ? linkedinUrl : undefined, base.linkedin_url),
    status: take("status", before === undefined && isSuppressed ? "DoNotContact" : input.status, base.status),
    score: take("score", input.score, base.score),
    is_flagged: take("isFlagged", input.is_flagged, base.is_flagged),
    profile: profileOf(input, base.profile, changed),
    updated_at: at
  }
  if (before?.status === "DoNotContact" && after.status !== "DoNotContact")
    throw new Failure(409, "LEAD_SUPPRESSED", `Lead ${base.id} must not be contacted.`)
  if (free.length > 0 && before !== undefined) changed.push("identities")
  const output = { lead_id: after.id, lead: leadOf(after) }
  if (before !== undefined && changed.length === 0)
    return { statement: note, values: [], subject: undefined, event: undefined, output }
  const stored = [after.name, after.headline, after.job_title, after.company, after.email, after.linkedin_url]
  return {
    statement: before === undefined ? createLead : updateLead,
    values: [
      free.map(({ kind }) => kind),
      free.map(({ value }) => value),
      after.id,
      ...stored,
      after.status,
      after.score,
      after.is_flagged,
      JSON.stringify(after.profile),
      ...(before === undefined ? [] : [before.version])
    ],
    subject: { type: "lead", id: after.id },
    event:
      before === undefined
        ? { type: "lead.created", data: { status: after.status } }
        : { type: "lead.updated", data: { changed } },
    output
  }
}

/** Creates or updates a lead, matched by its id or an identifier. */
export const upsertLead: Command<UpsertInput> = { id: "lead.upsert", scope: "leads:write", plan }
