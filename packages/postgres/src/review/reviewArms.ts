/**
 * The kinds of items of the review queue as selects: their tables, the condition of each tab, the instant that orders it, and
 * what is read of them.
 *
 * Aliases: d is a draft, q its transmission, l its lead, a its agent, m its mission, r an approval request. Everything beside
 * the first table is joined from the left, so that counts without filters read that table alone.
 */
import type { ReplyState, ReviewTab } from "@svc/core/review"
import { fieldsOf, instant, object } from "../outreach/transmissionJson.ts"

/** Where an item is in a tab, and its place there. `:at` and `:since` stand for the parameters. */
interface Place {
  readonly where: string
  readonly place: string
}

/** One kind of item, or two that are stored alike. `:organization` stands for the organization. */
export interface Arm {
  /** A select of `entry`, from tables that are all of one organization. */
  readonly entry: string
  readonly from: string
  /** The alias of the first table, whose id is that of the item. */
  readonly alias: string
  readonly tabs: Partial<Readonly<Record<ReviewTab, Place>>>
  /** What `query` is looked for in, beside the lead. */
  readonly text: string
  readonly mission: string
  readonly agent: string
}

const lead = object({
  ...fieldsOf("l", ["id", "name", "jobTitle", "company", "score"]),
  timezone: "coalesce(l.profile ->> 'timezone', '')"
})
const agent = object({
  id: "a.id",
  handle: "a.handle",
  name: "trim(a.first_name || ' ' || a.last_name)",
  timezone: "a.profile -> 'timezone'",
  workingHours: "a.profile -> 'workingHours'"
})
const mission = object(fieldsOf("m", ["id", "handle", "name"]))
const ifAny = (id: string, json: string) => `case when ${id} is not null then ${json} end`

const leadOf = (alias: string) =>
  `left join svc.leads l on l.organization_id = ${alias}.organization_id and l.id = ${alias}.lead_id`
const agentOf = (alias: string) =>
  `left join svc.agents a on a.organization_id = ${alias}.organization_id and a.id = ${alias}.agent_id`

const people = {
  lead: ifAny("l.id", lead),
  agent: ifAny("a.id", agent),
  mission: ifAny("m.id", mission)
}
const unknown = { reason: "null", lead: "null", agent: "null", mission: "null", queueId: "null", notBefore: "null" }
const undecided = { flagged: "false", snoozedUntil: "null", rewriteRequested: "false" }
const leaves = "coalesce(q.not_before, q.created_at)"
const isDeferred = "(d.rewrite is not null or (d.snoozed_until is not null and d.snoozed_until > :at))"
const named = (alias: string) => `(${alias}.id = :name or ${alias}.handle = :name)`

/** Messages: drafts. */
export const messages: Arm = {
  alias: "d",
  from: `svc.linkedin_drafts d ${leadOf("d")} ${agentOf("d")}
    left join svc.missions m on m.organization_id = d.organization_id and m.id = d.mission_id
    left join svc.transmissions q on q.organization_id = d.organization_id and q.id = d.queue_item_id`,
  entry: object({
    itemId: "d.id",
    kind: "'message'",
    state: `case d.status
      when 'PENDING_REVIEW' then case when d.rewrite is not null then 'rewriting'
        when d.snoozed_until > :at then 'snoozed' when q.state = 'failed' then 'failed' else 'in_review' end
      when 'READY_TO_SEND' then coalesce(q.state, 'blocked')
      when 'DISPATCHED' then 'sent'
      else case when d.rejection is null then 'cancelled' else 'rejected' end end`,
    reason: "q.reason",
    ...people,
    text: "coalesce(d.selected_body_text, d.variations ->> 0, '')",
    rewriteRequested: "d.rewrite is not null",
    queueId: "d.queue_item_id",
    ...fieldsOf("d", ["flagged", "snoozedUntil", "createdAt", "updatedAt"]),
    ...fieldsOf("q", ["notBefore"])
  }),
  tabs: {
    to_review: { where: `d.status = 'PENDING_REVIEW' and not ${isDeferred}`, place: "d.created_at" },
    snoozed: { where: `d.status = 'PENDING_REVIEW' and ${isDeferred}`, place: "d.created_at" },
    approved: {
      where: "d.status = 'READY_TO_SEND' and q.state in ('queued', 'waiting_relation', 'sending')",
      place: leaves
    },
    sent: { where: "d.status = 'DISPATCHED' and d.dispatched_at >= :since", place: "d.dispatched_at" },
    problems: {
      // The first condition is what the indexes know.
      where: `(d.status = 'READY_TO_SEND' or (d.status = 'PENDING_REVIEW' and d.queue_item_id is not null))
        and case d.status when 'READY_TO_SEND' then d.queue_item_id is null or q.state = 'ambiguous'
          else q.state = 'failed' end`,
      place: "d.updated_at"
    }
  },
  text: `coalesce(d.selected_body_text, (select string_agg(v.text, ' ') from jsonb_array_elements_text(d.variations) v (text)), '')`,
  mission: named("m"),
  agent: named("a")
}

const sentAt = "(q.details ->> 'sentAt')"

/** Invitations and emails. */
export const transmissions = (kind: "invitation" | "email"): Arm => ({
  alias: "q",
  from: `svc.transmissions q ${leadOf("q")} ${agentOf("q")}
    left join svc.linkedin_drafts d on d.organization_id = q.organization_id and d.id = q.draft_id
    left join svc.missions m on m.organization_id = q.organization_id and m.id = coalesce(q.mission_id, d.mission_id)`,
  entry: object({
    itemId: "q.id",
    ...people,
    text: "coalesce(q.details ->> 'bodyText', q.details ->> 'note', '')",
    ...undecided,
    queueId: "q.id",
    ...fieldsOf("q", ["kind", "state", "reason", "notBefore", "createdAt", "updatedAt"])
  }),
  tabs: {
    to_review: { where: `q.kind = '${kind}' and q.state = 'in_review'`, place: "q.created_at" },
    approved: { where: `q.kind = '${kind}' and q.state in ('queued', 'sending')`, place: leaves },
    sent: {
      where: `q.kind = '${kind}' and q.state in ('sent', 'pending', 'accepted') and ${sentAt} >= :since`,
      place: `${sentAt}::timestamptz`
    },
    problems: {
      where: `q.kind = '${kind}' and (q.state = 'ambiguous' or (q.state = 'failed' and q.updated_at >= :since))`,
      place: "q.updated_at"
    }
  },
  text: "coalesce(q.details ->> 'subject', '') || ' ' || coalesce(q.details ->> 'bodyText', q.details ->> 'note', '')",
  mission: named("m"),
  agent: named("a")
})

/** Approval requests. */
export const approvals: Arm = {
  alias: "r",
  from: "svc.approval_requests r cross join (select '' as name, '' as company, null::float8 as score) l",
  entry: object({
    itemId: "r.id",
    kind: "'approval'",
    state: "case when r.state = 'pending' and r.expires_at <= :at then 'expired' else r.state end",
    ...unknown,
    reason: "nullif(r.reason, '')",
    text: "r.command_id",
    ...undecided,
    createdAt: instant("r.created_at"),
    updatedAt: instant("coalesce(r.resolved_at, r.created_at)")
  }),
  tabs: { to_review: { where: "r.state = 'pending' and r.expires_at > :at", place: "r.created_at" } },
  text: "r.command_id",
  mission: "false",
  agent: "false"
}

const latestMission = `(select ${mission} from svc.lead_missions k
  join svc.missions m on m.organization_id = :organization and m.id = k.mission_id
  where k.organization_id = :organization and k.lead_id = l.id
  order by k.linked_at desc, m.id collate "C" desc limit 1)`

const latestReply = `(select i.content from svc.lead_messages i
  where i.organization_id = :organization and i.lead_id = l.id and i.direction = 'inbound'
  order by i.date desc, i.id collate "C" desc limit 1)`

const isClosed = "l.status in ('DoNotContact', 'NotInterested')"
const isPutAside = "coalesce(l.snoozed_until > :at, false)"
const isOpen = `not ${isPutAside} and l.status not in ('DoNotContact', 'NotInterested')`

/** The condition of each state of a reply, as `replyStateOf` says. */
export const replyStates: Readonly<Record<ReplyState, string>> = {
  closed: isClosed,
  snoozed: `${isPutAside} and not ${isClosed}`,
  waiting: `${isOpen} and l.turn = 1`,
  answered: `${isOpen} and l.turn = 2`
}

/** Replies: leads who wrote. */
export const replies: Arm = {
  alias: "l",
  from: "svc.leads l",
  entry: object({
    itemId: "l.id",
    kind: "'reply'",
    state: `case ${Object.entries(replyStates)
      .map(([state, condition]) => `when ${condition} then '${state}'`)
      .join(" ")} end`,
    ...unknown,
    lead,
    mission: latestMission,
    text: `coalesce(${latestReply}, '')`,
    ...undecided,
    ...fieldsOf("l", ["snoozedUntil"]),
    createdAt: instant("l.last_inbound_at"),
    updatedAt: instant("l.last_inbound_at")
  }),
  tabs: {
    replies: {
      where: "l.merged_into is null and l.turn is not null and l.last_inbound_at >= :since",
      place: "l.last_inbound_at"
    }
  },
  text: `coalesce(${latestReply}, '')`,
  mission: `exists (select 1 from svc.lead_missions k
    join svc.missions m on m.organization_id = :organization and m.id = k.mission_id
    where k.organization_id = :organization and k.lead_id = l.id and ${named("m")})`,
  agent: `exists (select 1 from svc.linkedin_drafts d
    join svc.agents a on a.organization_id = :organization and a.id = d.agent_id
    where d.organization_id = :organization and d.lead_id = l.id and ${named("a")})`
}
