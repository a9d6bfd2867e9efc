/**
 * The peer of imports: what a good engineer would write by hand in SQL. `COPY` of the file into a staging table, and one statement
 * that merges it into the tables of the product, with their indexes.
 *
 * It promises less: no progress and no resuming, all or nothing, no reason for a row that is refused, no conflicts of
 * identifiers, no repeated people in one file, no suppressions and erased people, no aliases of columns and no bounds of texts. It reads
 * the file from the disk of the database, while the product gets it over HTTP.
 */
import { chmod, copyFile } from "node:fs/promises"
import type { PgClient } from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"

const staging = `create temporary table staging (position integer generated always as identity (minvalue 0 start 0),
  email text, first_name text, last_name text, linkedin_url text, headline text, job_title text, company text, location text,
  phone text, company_website text, company_industry text, company_size text, source text) on commit drop`

const columns =
  "email, first_name, last_name, linkedin_url, headline, job_title, company, location, phone, company_website, company_industry, company_size, source"

/** `$1` is the organization, `$2` the mission, `$3` the import, `$4` the instant, `$5` who imports. */
const merge = `with given as materialized (
    select s.position, c.*, k.lead_id as known,
      coalesce(k.lead_id, 'ld_01' || lpad(upper(to_hex(s.position)), 24, '0')) as lead_id
    from staging s
    cross join lateral (
      select trim(s.first_name || ' ' || s.last_name) as name, trim(s.headline) as headline, trim(s.job_title) as job_title,
        trim(s.company) as company, lower(trim(s.email)) as email,
        lower(substring(s.linkedin_url from 'linkedin\\.com/in/([^/?#]+)')) as slug,
        jsonb_build_object('phone', trim(s.phone), 'source', trim(s.source), 'lastName', trim(s.last_name),
          'location', trim(s.location), 'firstName', trim(s.first_name), 'companySize', trim(s.company_size),
          'companyWebsite', trim(s.company_website), 'companyIndustry', trim(s.company_industry), 'import',
          'name headline jobTitle company location phone companyWebsite companyIndustry companySize source email linkedinUrl')
          as profile
      offset 0
    ) c
    left join lateral (
      select i.lead_id from (values ('email', c.email), ('slug', c.slug)) g (kind, value)
      cross join lateral (
        select lead_id from svc.lead_identities where organization_id = $1 and kind = g.kind and value = g.value limit 1) i
      limit 1
    ) k on true
  ), updated as (
    update svc.leads l set name = g.name, headline = g.headline, job_title = g.job_title, company = g.company,
      profile = l.profile || g.profile, updated_at = $4::timestamptz
    from given g where l.organization_id = $1 and l.id = g.known
  ), moved as (
    update svc.lead_recency c set updated_at = $4::timestamptz
    from given g join svc.leads l on l.organization_id = $1 and l.id = g.known
    where c.organization_id = $1 and c.updated_at = l.updated_at and c.lead_id = l.id
  ), new_leads as (
    insert into svc.leads (organization_id, id, name, headline, job_title, company, email, linkedin_url, avatar_url, status, score,
      is_flagged, profile, created_at, updated_at)
    select $1, g.lead_id, g.name, g.headline, g.job_title, g.company, g.email, 'https://www.linkedin.com/in/' || g.slug, '', 'New',
      0, false, g.profile, $4::timestamptz, $4::timestamptz
    from given g where g.known is null order by g.lead_id
  ), recent as (
    insert into svc.lead_recency (organization_id, updated_at, lead_id)
    select $1, $4::timestamptz, g.lead_id from given g where g.known is null order by g.lead_id
  ), new_identities as (
    insert into svc.lead_identities (organization_id, kind, value, lead_id, derived)
    select $1, i.kind, i.value, g.lead_id, false
    from given g cross join lateral (values ('email', g.email), ('slug', g.slug)) i (kind, value)
    where g.known is null order by i.kind, i.value
  ), links as (
    insert into svc.lead_missions (organization_id, mission_id, lead_id, linked_at)
    select $1, $2, g.lead_id, $4::timestamptz from given g order by g.lead_id
    on conflict (organization_id, mission_id, lead_id) do nothing
  ), numbered as (
    update svc.event_heads set sequence = sequence + (select count(*) from given) where organization_id = $1
    returning sequence - (select count(*) from given) as last
  ), announced as (
    insert into svc.events (organization_id, sequence, id, type, subject_type, subject_id, actor_kind, actor_id, data, created_at)
    select $1, n.last + g.position + 1, 'evt_01' || lpad(upper(to_hex(g.position)), 24, '0'),
      case when g.known is null then 'lead.created' else 'lead.updated' end, 'lead', g.lead_id, 'USER', $5,
      jsonb_build_object('status', 'New', 'import_id', $3::text), $4::timestamptz
    from given g cross join numbered n order by g.position
  )
  insert into svc.import_rows (organization_id, import_id, position, outcome, lead_id)
  select $1, $3, g.position, case when g.known is null then 'created' else 'updated' end, g.lead_id
  from given g order by g.position`

/** Puts the file where the database may read it; answers its path there. */
export const fileOfPeer = (sql: PgClient, file: string) =>
  Effect.gen(function* () {
    const [row] = yield* sql<{ readonly folder: string }>`select current_setting('data_directory') as folder`
    const path = `${row?.folder}/merged.csv`
    yield* Effect.promise(() => copyFile(file, path).then(() => chmod(path, 0o644)))
    return path
  })

/** Imports the file into the mission that is there, in one transaction. */
export const mergeRows = (sql: PgClient, path: string) =>
  sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`set local statement_timeout = 0`
      yield* sql.unsafe(staging)
      yield* sql.unsafe(`copy staging (${columns}) from '${path}' (format csv, header)`)
      yield* sql`analyze staging`
      const [mission] = yield* sql<{
        organization_id: string
        id: string
      }>`select organization_id, id from svc.missions`
      const given = [mission?.organization_id, mission?.id, "imp_peer", new Date().toISOString(), "usr_peer"]
      yield* sql.unsafe(merge, given)
    })
  )

/** What both must have written alike: everything but ids and times, in the order of the file. */
export const writtenRows = (sql: PgClient) =>
  sql.unsafe<{ readonly table: string; readonly written: string }>(`
    with lead as (
      select id, email, md5(row(name, headline, job_title, company, email, linkedin_url, avatar_url, status, score, is_flagged,
        search_text, profile, phone_digits)::text) as content
      from svc.leads
    )
    select 'leads' as table, md5(string_agg(content, '' order by email collate "C")) as written from lead
    union all
    select 'lead_identities', md5(string_agg(md5(row(i.kind, i.value, i.derived, l.email)::text), '' order by i.kind, i.value collate "C"))
    from svc.lead_identities i join lead l on l.id = i.lead_id
    union all
    select 'lead_missions', count(*)::text from svc.lead_missions k join lead l on l.id = k.lead_id
    union all
    select 'events', md5(string_agg(md5(row(e.type, e.subject_type, e.actor_kind, e.data - 'import_id', e.data ? 'import_id', l.email)::text), '' order by l.email collate "C"))
    from svc.events e join lead l on l.id = e.subject_id
    union all
    select 'import_rows', md5(string_agg(md5(row(r.position, r.outcome, r.reason, r.source, l.email)::text), '' order by r.position))
    from svc.import_rows r join lead l on l.id = r.lead_id
  `)
