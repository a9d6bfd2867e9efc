/** JSON schemas of the peer's responses, from which its serializers are generated. */

const text = { type: "string" }
const integer = { type: "integer" }
const flag = { type: "boolean" }
const textOrNull = { type: "string", nullable: true }
const list = (items: object) => ({ type: "array", items })
/** All members are required but those of `optional`. */
const object = (required: Record<string, object>, optional: Record<string, object> = {}) => ({
  type: "object",
  required: Object.keys(required),
  properties: { ...required, ...optional }
})
const orNull = (schema: object) => ({ ...schema, nullable: true })

const message = object(
  { id: text, content: text, channel: text, date: text },
  { timestamp: text, senderName: text, isPending: flag }
)

const lead = object(
  {
    id: text,
    name: text,
    title: text,
    company: text,
    score: { type: "number" },
    avatarUrl: text,
    linkedinUrl: text,
    linkedin_url: text,
    status: text
  },
  {
    lastInteraction: text,
    linkedinProfileEnriched: flag,
    email: text,
    jobTitle: text,
    description: text,
    location: text,
    phone: text,
    timezone: text,
    companyWebsite: text,
    companyIndustry: text,
    companySize: text,
    personalWebsite: text,
    mission: text,
    missions: list(text),
    sentMessages: list(message),
    receivedMessages: list(message),
    addedDate: text,
    isFlagged: flag
  }
)

const draft = object({
  draft_id: text,
  status: text,
  channel: text,
  dispatched_queue_item_id: textOrNull,
  dispatched_message_id: textOrNull,
  dispatched_external_message_id: textOrNull,
  selected_variation_index: orNull(integer),
  selected_body_text: textOrNull,
  approved_at: textOrNull,
  cancelled_at: textOrNull,
  dispatched_at: textOrNull,
  created_at: text,
  updated_at: text,
  created_by_user_id: text,
  created_by_actor_kind: text,
  approved_by_user_id: textOrNull,
  approved_by_actor_kind: textOrNull,
  lead: object({
    lead_id: text,
    name: text,
    company_name: textOrNull,
    job_title: textOrNull,
    linkedin_url: textOrNull
  }),
  agent: object({ agent_id: text, handle: text, name: text }),
  mission: orNull(object({ mission_id: text, handle: text, name: text })),
  variations: list(object({ position: integer, body_text: text }))
})

const reference = object({
  type: text,
  title: textOrNull,
  content: text,
  author: textOrNull,
  jobTitle: textOrNull,
  company: textOrNull,
  companyLocation: textOrNull,
  companySize: textOrNull,
  industry: textOrNull,
  keyResult: textOrNull,
  source: textOrNull,
  publishedAt: textOrNull,
  url: textOrNull,
  tags: orNull(list(text)),
  metadata: { type: "object", nullable: true, additionalProperties: true }
})

const offer = object({
  id: text,
  organizationId: text,
  name: text,
  oneLiner: text,
  valueProposition: text,
  description: textOrNull,
  landingPageUrl: textOrNull,
  salesBriefUrl: textOrNull,
  isDraft: flag,
  lastUsedAt: textOrNull,
  references: list(reference),
  problemSolutions: list(object({ problem: text, solution: text, feature: text })),
  differentiators: list(object({ title: text, description: textOrNull })),
  resources: list(
    object({ type: text, title: text, description: textOrNull, url: textOrNull, publishedAt: textOrNull })
  ),
  createdAt: text,
  updatedAt: text
})

const prospectContext = object({
  conversation: list(
    object({ message_id: text, direction: text, channel: text, content: text, date: text, is_pending: flag })
  ),
  relation: orNull(
    object({ account_id: text, connected: flag, conversation_synced: flag, invited_at: textOrNull, checked_at: text })
  ),
  open_draft: orNull(
    object({ draft_id: text, status: text, agent_handle: text, mission_id: textOrNull, created_at: text })
  ),
  missions: list(
    object({
      mission_id: text,
      handle: text,
      name: text,
      status: text,
      linked_at: text,
      offer_name: textOrNull,
      offer_one_liner: textOrNull,
      offer_value_proposition: textOrNull,
      brief: object({
        language: text,
        objective: textOrNull,
        description: textOrNull,
        target_audience: textOrNull,
        why_we_contact_them: textOrNull,
        desired_action: textOrNull,
        key_message: textOrNull,
        cta_url: textOrNull,
        tone_instructions: textOrNull
      }),
      proof: list(
        object({
          reference: text,
          type: text,
          content: text,
          author: textOrNull,
          company: textOrNull,
          key_result: textOrNull
        })
      )
    })
  ),
  next_action: orNull(object({ kind: text, why: text })),
  suppression: orNull(object({ reason: text, until: textOrNull }))
})

const envelope = (data: object) =>
  object(
    { ok: flag, status: integer },
    {
      data,
      error: object({ code: text, message: text }),
      meta: object({
        approval_required: flag,
        approval_request_id: text,
        command_hash: text,
        warnings: list(text)
      })
    }
  )

/** Envelope of `lead.upsert`. */
export const upsertResponse = envelope(object({ lead_id: text, lead }))

/** Envelope of `linkedin.draft.create`. */
export const draftResponse = envelope(object({ draft }))

/** A page of offers. */
export const offersResponse = object({ data: object({ offers: list(offer), nextCursor: textOrNull }) })

/** A prospect. */
export const prospectResponse = object({
  data: object({
    resource: object({
      uri: text,
      payload: object({ generated_at: text, lead_id: text, lead, prospect_context: prospectContext })
    })
  })
})
