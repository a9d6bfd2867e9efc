/** The data that both databases hold: organizations with offers, agents, missions and people, and what there is of them. */
import pg from "pg"
import { agentsEach } from "./scenarios.ts"

/** An organization that our command line made, with a key of all scopes. */
export interface Organization {
  readonly organization_id: string
  readonly api_key: string
}

/** How much of everything an organization has. */
export interface Size {
  readonly leads: number
  readonly offers: number
}

const words = (seed: number, count: number): string => {
  const list =
    "finance teams close the month four days earlier because invoices book themselves and nobody types numbers twice"
  const all = list.split(" ")
  return Array.from({ length: count }, (_, index) => all[(seed * 7 + index * 5) % all.length]).join(" ")
}

/** What an offer consists of: about 3 kB of JSON. */
const partsOf = (seed: number) => ({
  references: Array.from({ length: 3 }, (_, index) => ({
    type: "CASE_STUDY",
    title: `Case ${seed}-${index}`,
    content: words(seed + index, 16),
    author: "Grace Hopper",
    jobTitle: "Head of Finance",
    company: `Company ${seed} GmbH`,
    companyLocation: "Berlin, Germany",
    companySize: "51-200",
    industry: "Software",
    keyResult: words(seed + index + 1, 8),
    source: null,
    publishedAt: "2026-03-01T09:00:00.000Z",
    url: `https://company${seed}.example/cases/${index}`,
    tags: ["finance", "month-end", "automation"],
    metadata: { region: "EMEA", year: 2026, verified: true }
  })),
  problemSolutions: Array.from({ length: 3 }, (_, index) => ({
    problem: words(seed + index, 10),
    solution: words(seed + index + 3, 8),
    feature: words(seed + index + 5, 4)
  })),
  differentiators: Array.from({ length: 3 }, (_, index) => ({
    title: words(seed + index, 4),
    description: words(seed + index + 2, 12)
  })),
  resources: Array.from({ length: 2 }, (_, index) => ({
    type: "GUIDE",
    title: words(seed + index, 5),
    description: words(seed + index, 10),
    url: `https://company${seed}.example/guides/${index}`,
    publishedAt: "2026-04-01T09:00:00.000Z"
  }))
})

const offersOf = (count: number) =>
  JSON.stringify(
    Array.from({ length: count }, (_, index) => ({
      id: `off_${String(index + 1).padStart(26, "0")}`,
      name: `Offer ${index + 1}`,
      parts: partsOf(index + 1),
      one_liner: words(index, 10),
      value_proposition: words(index, 12),
      description: words(index, 12),
      minute: index
    }))
  )

/** The offers of an organization `$1`, from {@link offersOf}. */
export const offerRows = `jsonb_to_recordset($2::jsonb) as o (id text, name text, one_liner text, value_proposition text,
    description text, parts jsonb, minute integer)
  cross join lateral (select '2026-05-01Z'::timestamptz + o.minute * interval '1 minute' as at) made`

/** The people of an organization `$1`: `$2` of them after number `$3`. */
export const people = `people as (
    select n, 'ld_' || lpad(n::text, 26, '0') as id, 'Chiara Person' || n as name, 'Head of Finance, Company ' || n % 5000 as headline,
      'Head of Finance' as job_title, 'Company ' || n % 5000 || ' GmbH' as company,
      'lead' || n || '@company' || n % 5000 || '.example' as email, 'https://www.linkedin.com/in/lead-' || n as linkedin_url,
      jsonb_build_object('location', 'Berlin, Germany', 'phone', '+49 30 ' || 1000000 + n,
        'companyWebsite', 'https://company' || n % 5000 || '.example', 'companyIndustry', 'Software',
        'companySize', '51-200') as profile,
      '2026-06-01Z'::timestamptz + n * interval '1 second' as at
    from generate_series($3::int + 1, $3::int + $2::int) n
  )`

/** Their identifiers. */
export const identities = `select $1, i.kind, i.value, p.id
  from people p cross join lateral (values ('slug', 'lead-' || p.n), ('email', p.email)) i (kind, value)
  order by i.kind, i.value`

/** SQL that fills tables, for an organization `$1`. */
export interface Filling {
  /** Fills offers from {@link offerRows}. */
  readonly offers: string
  /** Agents and missions, `$2` of each. */
  readonly few: ReadonlyArray<string>
  /** What there is of people, of whom there are `$2` after number `$3`. */
  readonly many: ReadonlyArray<string>
}

/** Fills tables for organizations that are there. */
export const fill = async (
  sql: pg.Client,
  organizations: ReadonlyArray<Organization>,
  { leads, offers }: Size,
  { few, many, offers: insertOffers }: Filling
): Promise<void> => {
  await sql.query("set synchronous_commit = off; set statement_timeout = 0")
  for (const [index, { organization_id: id }] of organizations.entries()) {
    await sql.query(insertOffers, [id, offersOf(offers)])
    for (const statement of few) await sql.query(statement, [id, agentsEach])
    for (const statement of many) await sql.query(statement, [id, leads, index * leads])
  }
  await sql.query("vacuum (analyze)")
}

/** Runs something with a connection. */
export const withConnection = async <A>(url: string, use: (sql: pg.Client) => Promise<A>): Promise<A> => {
  const sql = new pg.Client({ connectionString: url })
  await sql.connect()
  try {
    return await use(sql)
  } finally {
    await sql.end()
  }
}
