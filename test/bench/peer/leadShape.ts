/** A lead of the peer: as stored, and as callers see it. */

/** A message as stored; `sent_at` is an ISO instant. */
export interface MessageRow {
  readonly id: string
  readonly direction: "inbound" | "outbound"
  readonly channel: string
  readonly content: string
  readonly sender_name: string | null
  readonly is_pending: boolean
  readonly sent_at: string
}

/** Fields without a column. */
export interface Profile {
  readonly [field: string]: unknown
}

/** A lead with its messages and the names of its missions. */
export interface LeadRow {
  readonly id: string
  readonly name: string
  readonly headline: string
  readonly job_title: string
  readonly company: string
  readonly email: string
  readonly linkedin_url: string
  readonly avatar_url: string
  readonly status: string
  readonly score: number
  readonly is_flagged: boolean
  readonly profile: Profile
  readonly version: number
  readonly last_inbound_at: string | null
  readonly last_outbound_at: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly messages: ReadonlyArray<MessageRow>
  readonly missions: ReadonlyArray<string>
}

/** Columns of a {@link LeadRow} of the table `l`. */
export const leadColumns = `l.id, l.name, l.headline, l.job_title, l.company, l.email, l.linkedin_url, l.avatar_url,
  l.status, l.score, l.is_flagged, l.profile, l.version, l.last_inbound_at, l.last_outbound_at, l.created_at, l.updated_at,
  coalesce((
    select json_agg(json_build_object('id', m.id, 'direction', m.direction, 'channel', m.channel, 'content', m.content,
      'sender_name', m.sender_name, 'is_pending', m.is_pending,
      'sent_at', to_char(m.sent_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) order by m.sent_at, m.id)
    from lead_messages m where m.organization_id = l.organization_id and m.lead_id = l.id), '[]') as messages,
  coalesce((
    select json_agg(m.name order by x.linked_at) from lead_missions x
    join missions m on m.organization_id = x.organization_id and m.id = x.mission_id
    where x.organization_id = l.organization_id and x.lead_id = l.id), '[]') as missions`

const shownMessages = (messages: ReadonlyArray<MessageRow>, direction: MessageRow["direction"]) =>
  messages
    .filter((message) => message.direction === direction)
    .map((message) => ({
      id: message.id,
      content: message.content,
      channel: message.channel,
      date: message.sent_at,
      timestamp: message.sent_at,
      ...(message.sender_name === null ? {} : { senderName: message.sender_name }),
      ...(message.is_pending ? { isPending: true } : {})
    }))

/** The lead as callers see it. */
export const leadOf = (row: LeadRow) => {
  const isOut = row.last_outbound_at !== null && row.last_outbound_at > (row.last_inbound_at ?? "")
  const lastInteraction = isOut ? row.last_outbound_at : row.last_inbound_at
  return {
    id: row.id,
    name: row.name,
    title: row.headline || row.job_title,
    company: row.company,
    score: row.score,
    avatarUrl: row.avatar_url,
    linkedinUrl: row.linkedin_url,
    linkedin_url: row.linkedin_url,
    status: row.status,
    ...(lastInteraction === null ? {} : { lastInteraction }),
    linkedinProfileEnriched: false,
    ...(row.email === "" ? {} : { email: row.email }),
    ...(row.job_title === "" ? {} : { jobTitle: row.job_title }),
    ...row.profile,
    ...(row.missions.length === 0 ? {} : { mission: row.missions[row.missions.length - 1] }),
    missions: row.missions,
    sentMessages: shownMessages(row.messages, "outbound"),
    receivedMessages: shownMessages(row.messages, "inbound"),
    addedDate: row.created_at,
    isFlagged: row.is_flagged
  }
}
