/** The same data for our tables and for the peer's: two organizations with offers, agents and leads. */
import { createHash } from "node:crypto"
import pg from "pg"
import { schema } from "../peer/schema.ts"
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

/** What an offer consists of: about 3.8 kB of JSON. */
const partsOf = (seed: number) => ({
  references: Array.from({ length: 3 }, (_, index) => ({
    type: "CASE_STUDY",
    title: `Case ${seed}-${index}`,
    content: words(seed + index, 30),
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
    solution: words(seed + index + 3, 12),
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
      value_proposition: words(index, 20),
      description: words(index, 30),
      minute: index
    }))
  )

const insertOffers = (searchText: boolean) => `
  insert into offers (organization_id, id, name, one_liner, value_proposition, description, landing_page_url,
    sales_brief_url, is_draft, parts, created_at, updated_at${searchText ? ", search_text" : ""})
  select $1, o.id, o.name, o.one_liner, o.value_proposition, o.description, 'https://offers.example/' || o.id, null, false,
    o.parts, '2026-05-01Z'::timestamptz + o.minute * interval '1 minute',
    '2026-05-01Z'::timestamptz + o.minute * interval '1 minute'${searchText ? ", lower(o.name || E'\\n' || o.one_liner)" : ""}
  from jsonb_to_recordset($2::jsonb) as o (id text, name text, one_liner text, value_proposition text, description text,
    parts jsonb, minute integer)`

/** The leads of an organization, for `$2` leads after number `$3`. */
const people = `people as (
    select n, 'ld_' || lpad(n::text, 26, '0') as id, 'Chiara Person' || n as name, 'Head of Finance, Company ' || n % 5000 as headline,
      'Head of Finance' as job_title, 'Company ' || n % 5000 || ' GmbH' as company,
      'lead' || n || '@company' || n % 5000 || '.example' as email, 'https://www.linkedin.com/in/lead-' || n as linkedin_url,
      jsonb_build_object('location', 'Berlin, Germany', 'phone', '+49 30 ' || 1000000 + n,
        'companyWebsite', 'https://company' || n % 5000 || '.example', 'companyIndustry', 'Software',
        'companySize', '51-200') as profile,
      '2026-06-01Z'::timestamptz + n * interval '1 second' as at
    from generate_series($3::int + 1, $3::int + $2::int) n
  )`

const identities = `select $1, i.kind, i.value, p.id
  from people p cross join lateral (values ('slug', 'lead-' || p.n), ('email', p.email)) i (kind, value)
  order by i.kind, i.value`

const oursStatements = [
  `with ${people}
  insert into leads (organization_id, id, name, headline, job_title, company, email, linkedin_url, avatar_url, status, score,
    is_flagged, profile, last_outbound_at, created_at, updated_at)
  select $1, p.id, p.name, p.headline, p.job_title, p.company, p.email, p.linkedin_url, '', 'Contacted', p.n % 100, false,
    p.profile || '{"provenance":{"name":"user","email":"user","company":"user","jobTitle":"user","linkedinUrl":"user"}}',
    p.at, p.at, p.at
  from people p`,
  `with ${people}
  insert into lead_identities (organization_id, kind, value, lead_id, derived)
  select i.*, false from (${identities}) i`,
  `with ${people}
  insert into lead_messages (organization_id, id, lead_id, direction, channel, content, date)
  select $1, 'msg_' || p.n, p.id, 'outbound', 'LINKEDIN', 'Hello, how long does closing a month take your team?', p.at
  from people p`,
  `with ${people}
  insert into events (organization_id, id, sequence, type, subject_type, subject_id, actor_kind, actor_id, data, created_at)
  select $1, 'evt_' || lpad(p.n::text, 26, '0'), p.n - $3::int, 'lead.created', 'lead', p.id, 'USER', 'usr_1',
    '{"status":"New"}', p.at
  from people p`
]

const peerStatements = [
  `with ${people}
  insert into leads (organization_id, id, name, headline, job_title, company, email, linkedin_url, avatar_url, status, score,
    is_flagged, profile, last_outbound_at, created_at, updated_at)
  select $1, p.id, p.name, p.headline, p.job_title, p.company, p.email, p.linkedin_url, '', 'Contacted', p.n % 100, false,
    p.profile, p.at, p.at, p.at
  from people p`,
  `with ${people} insert into lead_identities (organization_id, kind, value, lead_id) ${identities}`,
  `with ${people}
  insert into lead_messages (organization_id, id, lead_id, direction, channel, content, is_pending, sent_at)
  select $1, 'msg_' || p.n, p.id, 'outbound', 'LINKEDIN', 'Hello, how long does closing a month take your team?', false, p.at
  from people p`,
  `with ${people}
  insert into events (organization_id, id, type, subject_type, subject_id, actor_kind, actor_id, data, created_at)
  select $1, 'evt_' || lpad(p.n::text, 26, '0'), 'lead.created', 'lead', p.id, 'USER', 'usr_1', '{"status":"New"}', p.at
  from people p`
]

const ourAgents = `
  with agents as (
    insert into agents (organization_id, id, handle, first_name, last_name, profile, created_at, updated_at)
    select $1, 'agt_' || a, 'agent-' || a, 'Ada', 'Martin',
      '{"company":"","jobTitle":"","timezone":"UTC","avatarUrl":"","calendarUrl":"","linkedinUrl":"","personality":"","workingHours":{},"emailAccounts":[],"emailSignature":"","smartDeliverability":true}',
      now(), now()
    from generate_series(1, $2::int) a returning organization_id, id
  ), accounts as (
    insert into linkedin_accounts (organization_id, id, agent_id, gateway, gateway_account_id, status, tier, features,
      created_at, updated_at)
    select organization_id, replace(id, 'agt', 'acc'), id, 'simulator', organization_id || id, 'OK', 'PREMIUM', '[]',
      now(), now()
    from agents returning organization_id, id
  )
  insert into senders (organization_id, sender_id) select organization_id, id from accounts`

const peerAgents = `
  with agents as (
    insert into agents (organization_id, id, handle, first_name, last_name, created_at)
    select $1, 'agt_' || a, 'agent-' || a, 'Ada', 'Martin', now() from generate_series(1, $2::int) a
    returning organization_id, id
  )
  insert into linkedin_accounts (organization_id, id, agent_id, status)
  select organization_id, replace(id, 'agt', 'acc'), id, 'OK' from agents`

const fill = async (
  sql: pg.Client,
  organizations: ReadonlyArray<Organization>,
  { leads, offers }: Size,
  { agents, hasSearchText, statements }: { agents: string; hasSearchText: boolean; statements: ReadonlyArray<string> }
): Promise<void> => {
  await sql.query("set synchronous_commit = off; set statement_timeout = 0")
  for (const [index, { organization_id: id }] of organizations.entries()) {
    await sql.query(insertOffers(hasSearchText), [id, offersOf(offers)])
    await sql.query(agents, [id, agentsEach])
    for (const statement of statements) await sql.query(statement, [id, leads, index * leads])
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

/** Fills our tables for organizations that are there. */
export const fillOurs = (url: string, organizations: ReadonlyArray<Organization>, size: Size): Promise<void> =>
  withConnection(url, (sql) =>
    fill(sql, organizations, size, { agents: ourAgents, hasSearchText: true, statements: oursStatements })
  )

const peerKey = `
  with made as (
    insert into organizations (id, name, created_at) values ($1, 'Bench', now()) returning id
  )
  insert into api_keys (key_id, organization_id, user_id, actor_kind, scopes, secret_hash)
  select $2, id, 'usr_1', 'USER', '{leads:read,leads:write,offers:read,offers:write,linkedin:draft}', $3 from made`

/** Makes the peer's tables and fills them, with the same organizations and keys. */
export const fillPeer = (url: string, organizations: ReadonlyArray<Organization>, size: Size): Promise<void> =>
  withConnection(url, async (sql) => {
    await sql.query(schema)
    for (const { api_key, organization_id } of organizations) {
      const [, , keyId, secret = ""] = api_key.split("_")
      await sql.query(peerKey, [organization_id, keyId, createHash("sha256").update(secret).digest("hex")])
    }
    await fill(sql, organizations, size, { agents: peerAgents, hasSearchText: false, statements: peerStatements })
  })
