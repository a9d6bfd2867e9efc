/** LinkedIn drafts: the port, a draft with its surroundings, and finding one. Every method sees one organization only. */

import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { type AgentRow, agentName } from "../agents/Agent.ts"
import { Actor, ownRecord } from "../kernel/command/Execution.ts"
import type { TextRules } from "../kernel/command/Permission.ts"
import { NotFound, type StoreEffect, type StoreMethod } from "../kernel/failure/failures.ts"
import * as Ids from "../kernel/schema/IdsAndTime.ts"
import type { Page, PageRequest } from "../kernel/schema/Page.ts"
import { snakeFields } from "../kernel/schema/snakeCase.ts"
import { type DraftOpen, LeadSuppressed } from "../leads/failures.ts"
import type { LeadRow } from "../leads/Lead.ts"
import { PrivacyRepo } from "../leads/privacy/PrivacyRepo.ts"
import { activeSuppression, type Suppressible, type SuppressionEntry } from "../leads/suppression/Suppression.ts"
import { refuseFinished } from "../missions/MissionStatus.ts"
import type { AddressedText } from "./check/checkMessage.ts"
import type { FactRecords } from "./check/references.ts"
import { contentHashOf, type DraftStatus, type LinkedInDraft, variationsOf } from "./LinkedInDraft.ts"
import type { DraftRow, EvidencedDraft, Message, TransmissionView } from "./Transmission.ts"

/** A stored draft in its surroundings. `item` is the message that `row.queueItemId` names. */
export interface DraftView extends Pick<TransmissionView, "mission" | "rules"> {
  readonly row: DraftRow
  readonly item: Message | null
  readonly lead: Omit<TransmissionView["lead"], "email"> & { readonly jobTitle: string }
  /** It may have been deleted since. */
  readonly agent: Omit<TransmissionView["agent"], "addresses">
}

/** A draft that was just written. */
export const newView = (
  row: DraftRow,
  lead: LeadRow,
  agent: AgentRow,
  mission: DraftView["mission"] | undefined,
  rules: TextRules
): DraftView => ({
  row,
  item: null,
  rules,
  lead: {
    ...Struct.pick(lead, ["id", "name", "company", "jobTitle", "linkedinUrl", "status"]),
    ...Struct.pick(lead, ["lastInboundAt", "lastOutboundAt", "awayUntil", "lawfulBasis", "timezone"]),
    wasWritten: lead.lastOutboundAt !== null
  },
  agent: {
    ...Struct.pick(agent, ["id", "handle", "timezone", "workingHours"]),
    name: agentName(agent),
    deleted: agent.deletedAt !== null
  },
  mission: !mission ? null : Struct.pick(mission, ["id", "handle", "name", "status", "steps"])
})

const orNull = (value: string): string | null => (value === "" ? null : value)

/** The draft as it is shown. */
export const draftOf = ({ agent, lead, mission, row }: DraftView): LinkedInDraft => ({
  draft_id: row.id,
  status: row.status,
  channel: "LINKEDIN",
  dispatched_queue_item_id: row.queueItemId,
  dispatched_message_id: row.messageId,
  dispatched_external_message_id: row.externalMessageId,
  selected_variation_index: row.selectedIndex,
  selected_body_text: row.selectedBodyText,
  ...snakeFields(row, ["approvedAt", "cancelledAt", "dispatchedAt", "createdAt", "updatedAt"]),
  created_by_user_id: row.createdBy.userId,
  created_by_actor_kind: row.createdBy.actorKind,
  approved_by_user_id: row.approvedBy?.userId ?? null,
  approved_by_actor_kind: row.approvedBy?.actorKind ?? null,
  lead: {
    lead_id: lead.id,
    name: lead.name,
    company_name: orNull(lead.company),
    job_title: orNull(lead.jobTitle),
    linkedin_url: orNull(lead.linkedinUrl)
  },
  agent: { agent_id: agent.id, handle: agent.handle, name: agent.name },
  mission: mission === null ? null : { mission_id: mission.id, handle: mission.handle, name: mission.name },
  variations: variationsOf(row.variations)
})

/** What an approval may be bound to. */
export const contentHashOfView = ({ row }: Pick<DraftView, "row">): string => contentHashOf(row)

/** The output of commands that return one draft. */
export const draftResult = (view: DraftView): { readonly draft: LinkedInDraft } => ({ draft: draftOf(view) })

/** Which drafts of a list; undefined and an empty `status` mean any. `mission` and `agent` are an id or a handle. */
export interface DraftFilter {
  readonly status: ReadonlyArray<DraftStatus>
  readonly leadId?: Ids.LeadId | undefined
  readonly mission?: string | undefined
  readonly agent?: string | undefined
}

/** Which unfinished drafts something that happened to another record touches. */
type DraftOwner =
  | { readonly leadId: Ids.LeadId }
  /** Of some leads only, when these are given. */
  | { readonly missionId: Ids.MissionId; readonly leadIds?: ReadonlyArray<string> }
  | { readonly agentId: Ids.AgentId }

/** How many drafts to other leads a text is compared with, the newest. */
export const comparedDrafts = 200

/** What is checked: a stored draft, or a lead and a mission (id or handle) of a text that is not stored. */
export interface CheckRequest {
  readonly draftId?: Ids.DraftId | undefined
  readonly leadId?: Ids.LeadId | undefined
  readonly mission?: string | undefined
}

/** The part of a draft that is checked. */
type CheckedDraft = EvidencedDraft & Pick<DraftRow, "selectedBodyText" | "steps">

/** What was found; each is undefined when it was not asked for, or is not there. */
export interface CheckFacts {
  readonly draft: CheckedDraft | undefined
  /** The lead that a merged one went into. */
  readonly lead:
    | {
        readonly id: string
        readonly name: string
        readonly company: string
        readonly wasWritten: boolean
        /** What is known of the person. */
        readonly texts: ReadonlyArray<string>
      }
    | undefined
  readonly mission:
    | {
        readonly language: string
        readonly brief: ReadonlyArray<string>
        /** Texts of the offer; undefined when none is linked. */
        readonly offer: ReadonlyArray<string> | undefined
      }
    | undefined
  /** What the references of the draft's evidence may name. */
  readonly records: FactRecords
  /** What the organization requires of texts. */
  readonly rules: TextRules
  /**
   * Texts of the newest {@link comparedDrafts} drafts to other leads (to all leads when none is known) that were not
   * cancelled: what was approved, else every variation. In no order.
   */
  readonly others: ReadonlyArray<AddressedText & { readonly leadId: Ids.LeadId }>
}

/** A text to another lead, with its draft. */
export type ComparedText = CheckFacts["others"][number] & { readonly draftId: string }

/** Of texts of the newest drafts, in their order: those of the newest {@link comparedDrafts} drafts to other leads. */
export const othersThan = (
  leadId: string | undefined,
  texts: ReadonlyArray<ComparedText>
): ReadonlyArray<ComparedText> => {
  const others = texts.filter((other) => other.leadId !== leadId)
  const compared = new Set([...new Set(others.map(({ draftId }) => draftId))].slice(0, comparedDrafts))
  return others.filter(({ draftId }) => compared.has(draftId))
}

/** Stores drafts. Fails with UNAVAILABLE when the store cannot be reached. */
export class DraftsRepo extends Context.Service<
  DraftsRepo,
  {
    /** One draft with its surroundings. */
    readonly find: StoreMethod<[draftId: Ids.DraftId], DraftView | undefined>
    /**
     * Drafts, and keeps them and their leads from being changed by others until the transaction ends; the leads are held first, as
     * everything that changes a lead does. Those of the ids that are there, or of an owner those under review or approved, by id.
     */
    readonly hold: StoreMethod<
      [which: DraftOwner | { readonly draftIds: ReadonlyArray<string> }],
      ReadonlyArray<DraftView>
    >
    /** The id of the draft for this lead and agent that is under review or approved: there is at most one. */
    readonly findOpen: StoreMethod<[leadId: Ids.LeadId, agentId: Ids.AgentId], string | undefined>
    /**
     * Stores new drafts, each of another lead or agent, unless the lead has an open one with the agent: returns the ids of those,
     * in the order of the drafts.
     */
    readonly insert: (drafts: ReadonlyArray<DraftRow>) => StoreEffect<ReadonlyArray<string | undefined>>
    /** Stores drafts that are held, in one statement; each stays its lead's. */
    readonly save: StoreMethod<[drafts: ReadonlyArray<DraftRow>], void>
    /** Stores a draft that is held and goes to another lead. Fails with DRAFT_OPEN when that one has an open draft with the agent. */
    readonly give: (draft: DraftRow) => StoreEffect<void, DraftOpen>
    /** Newest first. */
    readonly list: StoreMethod<[filter: DraftFilter, page: PageRequest], Page<DraftView>>
    /** A page of the drafts under review, oldest first, and how many there are in all. */
    readonly pending: StoreMethod<[page: PageRequest], Page<DraftView> & { readonly total: number }>
    /** What checks of stored drafts, or of other texts, must know, in the order of the requests. */
    readonly facts: StoreMethod<[requests: ReadonlyArray<CheckRequest>], ReadonlyArray<CheckFacts>>
  }
>()("@svc/core/outreach/DraftsRepo") {}

/** What one check must know. */
export const readFacts = Effect.fnUntraced(function* (organizationId: Ids.OrganizationId, request: CheckRequest) {
  const [facts] = yield* (yield* DraftsRepo).facts(organizationId, [request])
  return facts ?? (yield* Effect.die("each request has facts"))
})

/** The newest drafts to a lead that are under review or approved. */
export const openDraftsOf = Effect.fnUntraced(function* (leadId: Ids.LeadId, limit: number) {
  const { organizationId } = yield* Actor
  const filter = { status: ["PENDING_REVIEW", "READY_TO_SEND"], leadId } as const
  return (yield* (yield* DraftsRepo).list(organizationId, filter, { limit })).items
})

/** Reads a draft. Fails with NOT_FOUND. */
export const readDraft = (draftId: Ids.DraftId) =>
  Effect.flatMap(DraftsRepo, ({ find }) => ownRecord("draft", draftId, find))

/** Reads a draft and holds it, and its lead, until the transaction ends. Fails with NOT_FOUND. */
export const holdDraft = Effect.fnUntraced(function* (draftId: Ids.DraftId) {
  const { organizationId } = yield* Actor
  const [view] = yield* (yield* DraftsRepo).hold(organizationId, { draftIds: [draftId] })
  return view ?? (yield* new NotFound({ kind: "draft", id: draftId }))
})

type Refusable = Pick<DraftView["lead"], "id" | "status">

/** Why a lead must not be contacted, by its status or by what is suppressed at a time; undefined if it may. */
export const suppressionOf = (
  { id, status }: Refusable,
  entries: ReadonlyArray<SuppressionEntry>,
  at: Ids.InstantText
): LeadSuppressed | undefined => {
  if (status === "DoNotContact") {
    const message = `Lead ${id} has status DoNotContact and must not be contacted.`
    return new LeadSuppressed({ leadId: id, message })
  }
  const entry = activeSuppression(entries, at)
  if (entry === undefined) return undefined
  const until = entry.until === null ? "" : ` until ${entry.until}`
  return new LeadSuppressed({
    leadId: id,
    message: `Lead ${id} must not be contacted${until}: its ${entry.kind} is suppressed. See lead.get for the reason.`
  })
}

/**
 * Why a lead must not be contacted: by its status, or by an entry that names it, one of its identifiers or the domain of an
 * address, or by one that names the target it is written to. Undefined if it may.
 */
export const findSuppression = Effect.fnUntraced(function* (lead: Refusable, target: ReadonlyArray<Suppressible> = []) {
  const { organizationId } = yield* Actor
  const named: ReadonlyArray<Suppressible> = [{ kind: "lead", value: lead.id }, ...target]
  const isStatus = lead.status === "DoNotContact"
  const found = isStatus ? [] : yield* (yield* PrivacyRepo).findSuppressions(organizationId, named)
  const entries = found.map(({ entry }) => entry)
  return suppressionOf(lead, entries, yield* Ids.now)
})

/** Fails with LEAD_SUPPRESSED for a lead that must not be contacted. */
export const refuseSuppressed = Effect.fnUntraced(function* (lead: Refusable) {
  const suppressed = yield* findSuppression(lead)
  if (suppressed !== undefined) return yield* suppressed
})

/** Fails with LEAD_SUPPRESSED, MISSION_ARCHIVED or WRONG_STATE (completed) when nothing may be sent for the draft. */
export const refuseSending = Effect.fnUntraced(function* ({ lead, mission }: DraftView) {
  yield* refuseSuppressed(lead)
  if (mission !== null) yield* Effect.fromResult(refuseFinished(mission.status))
})
