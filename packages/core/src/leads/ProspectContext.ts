/** The context of a lead: conversation, relation, open draft, missions, next action and suppression. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { compacted, compactField } from "../kernel/schema/compact.ts"
import { Instant } from "../kernel/schema/IdsAndTime.ts"
import { snakeFields, snakeKeys } from "../kernel/schema/snakeCase.ts"
import { briefTexts, briefTextsOf } from "../missions/Mission.ts"
import { MissionStatus } from "../missions/MissionStatus.ts"
import { type Offer, ReferenceType } from "../offers/Offer.ts"
import { isSameValue } from "./applyInput.ts"
import { nextFollowUp, ShownFollowUp, shownFollowUp } from "./followUp.ts"
import { Lead, lastInteractionOf, type Message, MessageChannel } from "./Lead.ts"
import type { LeadMessage, LeadView, StoredLead } from "./LeadsRepo.ts"
import { type ActionFacts, ActionKind, actionReason, nextAction, openDraftAt } from "./NextAction.ts"
import { compactValues, shownValues } from "./projectFields.ts"
import { activeSuppression, statusReason } from "./suppression/Suppression.ts"

const text = Schema.String
const textOrNull = Schema.NullOr(Schema.String)

/** Maximum number of messages shown, the latest. */
const shownMessages = 10

/** Maximum number of references shown of an offer. */
const shownProof = 5

/** Unknown parts are null. */
export const ProspectContext = Schema.Struct({
  conversation: Schema.Array(
    Schema.Struct({
      message_id: text,
      direction: Schema.Literals(["inbound", "outbound"]),
      channel: MessageChannel,
      content: text,
      date: Instant,
      is_pending: Schema.Boolean
    })
  ).annotate({ description: `The latest ${shownMessages} messages in both directions, oldest first` }),
  relation: Schema.NullOr(
    Schema.Struct({
      account_id: text,
      connected: Schema.Boolean,
      conversation_synced: Schema.Boolean,
      invited_at: Schema.NullOr(Instant),
      checked_at: Instant
    })
  ).annotate({ description: "LinkedIn relation at the last check; null before the first" }),
  open_draft: Schema.NullOr(
    Schema.Struct({
      draft_id: text,
      status: Schema.Literals(["PENDING_REVIEW", "READY_TO_SEND"]),
      agent_handle: text,
      mission_id: textOrNull,
      created_at: Instant
    })
  ).annotate({ description: "The newest draft that is not sent or cancelled" }),
  missions: Schema.Array(
    Schema.Struct({
      mission_id: text,
      handle: text,
      name: text,
      status: MissionStatus,
      linked_at: Instant,
      offer_name: textOrNull,
      offer_one_liner: textOrNull,
      offer_value_proposition: textOrNull,
      brief: Schema.Struct({ language: text, ...briefTexts }),
      proof: Schema.Array(
        Schema.Struct({
          reference: text.annotate({
            description: "Its place in the offer, as evidence names it: offer.references[0]"
          }),
          type: ReferenceType,
          content: text,
          author: textOrNull,
          company: textOrNull,
          key_result: textOrNull
        })
      ).annotate({ description: `The first ${shownProof} references of the offer: what messages may claim` })
    })
  ),
  next_action: Schema.NullOr(Schema.Struct({ kind: ActionKind, why: text })).annotate({
    description: "The most urgent pending action; null without one"
  }),
  follow_up: Schema.NullOr(ShownFollowUp).annotate({
    description: "The next follow-up that a mission plans, due or not; null without one"
  }),
  draft_request: Schema.NullOr(
    Schema.Struct({ instructions: text, mission_id: textOrNull, by: text, at: Instant })
  ).annotate({ description: "What a person asked a writer to draft; null without a request" }),
  suppression: Schema.NullOr(Schema.Struct({ reason: text, until: Schema.NullOr(Instant) })).annotate({
    description: "Why the lead must not be contacted; null if it may be"
  })
})
export type ProspectContext = typeof ProspectContext.Type

/** The facts that determine the next action at `at`. */
export const actionFactsOf = (
  { briefs, followUps, hasAmbiguousSend, openDraft, relation, row, suppressions }: LeadView,
  at: string
): ActionFacts => ({
  ...row,
  followUp: nextFollowUp({ ...row, ...followUps }),
  hasAmbiguousSend,
  openDraft: openDraftAt(openDraft, at),
  missions: briefs.map(({ status }) => status),
  relation,
  isSuppressed: activeSuppression(suppressions, at) !== undefined
})

const actionOf = (view: LeadView, at: string): ProspectContext["next_action"] => {
  const kind = nextAction(actionFactsOf(view, at), at)
  return kind === null ? null : { kind, why: actionReason(kind) }
}

const suppressionOf = ({ row, suppressions }: LeadView, at: string): ProspectContext["suppression"] => {
  const entry = activeSuppression(suppressions, at)
  if (entry !== undefined && (entry.until === null || row.status !== "DoNotContact")) {
    return { reason: entry.reason, until: entry.until }
  }
  return row.status === "DoNotContact" ? { reason: statusReason, until: null } : null
}

/** The request of a lead, as it is shown. */
export const draftRequestOf = ({ draftRequest }: StoredLead["row"]): ProspectContext["draft_request"] =>
  draftRequest && {
    ...snakeFields(draftRequest, ["instructions", "missionId", "at"]),
    by: draftRequest.userId
  }

const shownReference = (reference: Offer["references"][number], index: number) => ({
  reference: `offer.references[${index}]`,
  ...snakeFields(reference, ["type", "content", "author", "company", "keyResult"])
})

/** The context of a lead at `at`. */
export const contextOf = (view: LeadView, at: string): ProspectContext => {
  const { openDraft, relation } = view
  return {
    conversation: view.messages
      .slice(-shownMessages)
      .map(({ id, senderName: _, ...message }) => ({ message_id: id, ...snakeKeys(message) })),
    relation: relation && {
      ...snakeKeys(Struct.omit(relation, ["hasConversation"])),
      conversation_synced: relation.hasConversation
    },
    open_draft: openDraft && snakeKeys(Struct.omit(openDraft, ["rewriteRequested", "snoozedUntil"])),
    missions: view.missions.flatMap(({ handle, id, linkedAt, name }) =>
      view.briefs
        .filter(({ missionId }) => missionId === id)
        .map(({ brief, ...mission }) => ({
          mission_id: id,
          handle,
          name,
          status: mission.status,
          linked_at: linkedAt,
          offer_name: mission.offerName,
          offer_one_liner: mission.offerOneLiner,
          offer_value_proposition: mission.valueProposition,
          brief: { language: brief.language, ...briefTextsOf(brief) },
          proof: mission.proof.slice(0, shownProof).map(shownReference)
        }))
    ),
    next_action: actionOf(view, at),
    follow_up: shownFollowUp(nextFollowUp({ ...view.row, ...view.followUps })),
    draft_request: draftRequestOf(view.row),
    suppression: suppressionOf(view, at)
  }
}

const messageOf = (row: LeadMessage): Message => ({
  ...Struct.pick(row, ["id", "content", "channel", "date"]),
  timestamp: row.date,
  ...(row.senderName === null ? {} : { senderName: row.senderName }),
  ...(row.isPending ? { isPending: true } : {})
})

/** The lead in the spec's closed shape. Required texts are empty when unknown. */
export const leadOf = ({ messages, missions, row }: StoredLead): Lead => {
  const lastInteraction = lastInteractionOf(row)
  const latest = missions.at(-1)
  const inDirection = (direction: LeadMessage["direction"]) =>
    messages.filter((message) => message.direction === direction).map(messageOf)
  return {
    id: row.id,
    name: row.name,
    title: row.headline || row.jobTitle,
    ...shownValues(row),
    linkedinUrl: row.linkedinUrl,
    linkedin_url: row.linkedinUrl,
    status: row.status,
    ...(lastInteraction === null ? {} : { lastInteraction }),
    linkedinProfileEnriched: false,
    ...(row.email === "" ? {} : { email: row.email }),
    ...(latest === undefined ? {} : { mission: latest.name }),
    missions: missions.map(({ name }) => name),
    sentMessages: inDirection("outbound"),
    receivedMessages: inDirection("inbound"),
    addedDate: row.createdAt
  }
}

const keptMessages = 3

/** The lead without what compact outputs omit, with the last three messages of each direction, and a warning if cut. */
export const compactLead = (lead: Lead) => {
  const { receivedMessages = [], sentMessages = [] } = lead
  const kept = compactValues(lead)
  const isCut = !isSameValue(kept, lead) || Math.max(sentMessages.length, receivedMessages.length) > keptMessages
  return compacted<Lead>(
    {
      ...kept,
      sentMessages: sentMessages.slice(-keptMessages),
      receivedMessages: receivedMessages.slice(-keptMessages)
    },
    isCut,
    `posts, job descriptions or messages of lead ${lead.id} are omitted; use response_profile full for all`
  )
}

/** What commands that change one lead have in common. */
export const ofOneLead = {
  risk: "mutate",
  scope: "leads:write",
  output: Schema.Struct({ lead_id: text, lead: Lead }),
  relatedResources: ["svc://prospects/{id}"],
  compact: compactField("lead", compactLead)
} as const
