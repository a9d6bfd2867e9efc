/** `svc://prospects/{id}` of the peer: the lead and its context in one statement. */
import type { Query } from "./database.ts"
import { Failure } from "./Failure.ts"
import type { Actor } from "./keys.ts"
import { type LeadRow, leadColumns, leadOf } from "./leadShape.ts"

const instant = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Finds a prospect. */
export const findProspect = {
  name: "prospect",
  text: `select ${leadColumns},
      (select json_build_object('account_id', r.account_id, 'connected', r.connected,
          'conversation_synced', r.conversation_synced, 'invited_at', ${instant("r.invited_at")},
          'checked_at', ${instant("r.checked_at")})
        from lead_relations r where r.organization_id = $1 and r.lead_id = $2
        order by r.checked_at desc limit 1) as relation,
      (select json_build_object('draft_id', d.id, 'status', d.status, 'agent_handle', a.handle,
          'mission_id', d.mission_id, 'created_at', ${instant("d.created_at")})
        from linkedin_drafts d join agents a on a.organization_id = d.organization_id and a.id = d.agent_id
        where d.organization_id = $1 and d.lead_id = $2 and d.status in ('PENDING_REVIEW', 'READY_TO_SEND')
        order by d.created_at desc limit 1) as open_draft,
      coalesce((
        select json_agg(json_build_object('mission_id', m.id, 'handle', m.handle, 'name', m.name, 'status', m.status,
          'linked_at', ${instant("x.linked_at")}, 'offer_name', o.name, 'offer_one_liner', o.one_liner,
          'offer_value_proposition', o.value_proposition, 'brief', m.brief, 'proof', coalesce((
            select json_agg(json_build_object('reference', 'offer.references[' || e.place - 1 || ']', 'type', e.item -> 'type',
              'content', e.item -> 'content', 'author', e.item -> 'author', 'company', e.item -> 'company',
              'key_result', e.item -> 'keyResult') order by e.place)
            from jsonb_array_elements(o.parts -> 'references') with ordinality e (item, place) where e.place <= 3), '[]'))
          order by x.linked_at)
        from lead_missions x join missions m on m.organization_id = x.organization_id and m.id = x.mission_id
        left join offers o on o.organization_id = m.organization_id and o.id = m.offer_id
        where x.organization_id = $1 and x.lead_id = $2), '[]') as briefs,
      (select json_build_object('reason', s.reason, 'until', ${instant("s.until")})
        from lead_identities i join suppressions s
          on s.organization_id = i.organization_id and s.kind = i.kind and s.value = i.value
        where i.organization_id = $1 and i.lead_id = $2 and (s.until is null or s.until > now())
        limit 1) as suppression
    from leads l where l.organization_id = $1 and l.id = $2`
}

interface ProspectRow extends LeadRow {
  readonly relation: { readonly connected: boolean; readonly invited_at: string | null } | null
  readonly open_draft: { readonly status: string } | null
  readonly briefs: ReadonlyArray<object>
  readonly suppression: object | null
}

const week = 7 * 24 * 60 * 60 * 1000

const reasons = {
  reply_waiting: "The lead wrote last; reply.",
  draft_to_review: "A draft is waiting for approval.",
  invite_accepted: "The lead accepted the invitation and has not been written to since; create a draft.",
  draft_missing: "The lead is in a mission and has not been written to; create a draft.",
  enrich: "Not enough is known to write to the lead; add a LinkedIn URL, or email and company, with lead.upsert.",
  stale: "The lead has not replied for 7 days; follow up, or set the status to NotInterested."
}

const nextActionOf = (row: ProspectRow): keyof typeof reasons | undefined => {
  const { briefs, last_inbound_at: received, last_outbound_at: sent, open_draft: draft, relation, status } = row
  if (status === "DoNotContact" || row.suppression !== null) return undefined
  if (received !== null && received > (sent ?? "") && status !== "NotInterested") return "reply_waiting"
  if (draft !== null) return draft.status === "PENDING_REVIEW" ? "draft_to_review" : undefined
  const invited = relation?.connected === true ? relation.invited_at : null
  if (invited !== null && ["New", "Waiting", "Contacted"].includes(status) && (sent === null || sent < invited))
    return "invite_accepted"
  if (briefs.length === 0) return undefined
  if (status === "New") return row.linkedin_url === "" && row.email === "" ? "enrich" : "draft_missing"
  const isStale = sent !== null && Date.parse(sent) <= Date.now() - week
  return isStale && ["Contacted", "Replied", "Interested"].includes(status) ? "stale" : undefined
}

/** The resource at a URI. Fails with 404. */
export const readProspect = async (query: Query, { organizationId }: Actor, uri: string) => {
  const [, id] = /^svc:\/\/prospects\/([A-Za-z0-9_-]{1,64})$/.exec(uri) ?? []
  if (id === undefined) throw new Failure(404, "UNKNOWN_RESOURCE", `There is no resource ${uri}.`)
  const [row] = await query<ProspectRow>(findProspect, [organizationId, id])
  if (row === undefined) throw new Failure(404, "NOT_FOUND", `Lead ${id} not found.`)
  const kind = nextActionOf(row)
  const payload = {
    generated_at: new Date().toISOString(),
    lead_id: id,
    lead: leadOf(row),
    prospect_context: {
      conversation: row.messages.slice(-10).map((message) => ({
        message_id: message.id,
        direction: message.direction,
        channel: message.channel,
        content: message.content,
        date: message.sent_at,
        is_pending: message.is_pending
      })),
      relation: row.relation,
      open_draft: row.open_draft,
      missions: row.briefs,
      next_action: kind === undefined ? null : { kind, why: reasons[kind] },
      suppression: row.suppression
    }
  }
  return { data: { resource: { uri, payload } } }
}
