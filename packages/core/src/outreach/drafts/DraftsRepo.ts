/** LinkedIn drafts of organizations: the port. Every method sees one organization only. */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { TextRules } from "../../kernel/command/Permission.ts"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { AgentId, DraftId, LeadId, MissionId, OrganizationId } from "../../kernel/schema/IdsAndTime.ts"
import type { Page, PageRequest } from "../../kernel/schema/Page.ts"
import type { DraftOpen } from "../../leads/failures.ts"
import type { AddressedText } from "./check/checkMessage.ts"
import type { EvidencedDraft } from "./check/evidenceFindings.ts"
import type { FactRecords } from "./check/references.ts"
import type { DraftRow } from "./DraftRow.ts"
import type { DraftStatus } from "./DraftStatus.ts"
import type { DraftView } from "./DraftView.ts"

/** Which drafts of a list; undefined and an empty `status` mean any. `mission` and `agent` are an id or a handle. */
export interface DraftFilter {
  readonly status: ReadonlyArray<DraftStatus>
  readonly leadId: LeadId | undefined
  readonly mission: string | undefined
  readonly agent: string | undefined
}

/** Which unfinished drafts something that happened to another record touches. */
type DraftOwner =
  | { readonly leadId: LeadId }
  /** Of some leads only, when these are given. */
  | { readonly missionId: MissionId; readonly leadIds?: ReadonlyArray<string> }
  | { readonly agentId: AgentId }

/** How many drafts to other leads a text is compared with, the newest. */
export const comparedDrafts = 200

/** What is checked: a stored draft, or a lead and a mission (id or handle) of a text that is not stored. */
export interface CheckRequest {
  readonly draftId: DraftId | undefined
  readonly leadId: LeadId | undefined
  readonly mission: string | undefined
}

/** The part of a draft that is checked. */
export type CheckedDraft = EvidencedDraft & Pick<DraftRow, "selectedBodyText" | "steps">

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
  readonly others: ReadonlyArray<AddressedText & { readonly leadId: LeadId }>
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
    readonly find: (
      organizationId: OrganizationId,
      draftId: DraftId
    ) => Effect.Effect<DraftView | undefined, StoreFailure>
    /**
     * Drafts, and keeps them and their leads from being changed by others until the transaction ends; the leads are held first, as
     * everything that changes a lead does. Those of the ids that are there, or of an owner those under review or approved, by id.
     */
    readonly hold: (
      organizationId: OrganizationId,
      which: DraftOwner | { readonly draftIds: ReadonlyArray<string> }
    ) => Effect.Effect<ReadonlyArray<DraftView>, StoreFailure>
    /** The id of the draft for this lead and agent that is under review or approved: there is at most one. */
    readonly findOpen: (
      organizationId: OrganizationId,
      leadId: LeadId,
      agentId: AgentId
    ) => Effect.Effect<string | undefined, StoreFailure>
    /**
     * Stores new drafts, each of another lead or agent, unless the lead has an open one with the agent: returns the ids of those,
     * in the order of the drafts.
     */
    readonly insert: (drafts: ReadonlyArray<DraftRow>) => Effect.Effect<ReadonlyArray<string | undefined>, StoreFailure>
    /** Stores drafts that are held, in one statement; each stays its lead's. */
    readonly save: (
      organizationId: OrganizationId,
      drafts: ReadonlyArray<DraftRow>
    ) => Effect.Effect<void, StoreFailure>
    /** Stores a draft that is held and goes to another lead. Fails with DRAFT_OPEN when that one has an open draft with the agent. */
    readonly give: (draft: DraftRow) => Effect.Effect<void, StoreFailure | DraftOpen>
    /** Newest first. */
    readonly list: (
      organizationId: OrganizationId,
      filter: DraftFilter,
      page: PageRequest
    ) => Effect.Effect<Page<DraftView>, StoreFailure>
    /** A page of the drafts under review, oldest first, and how many there are in all. */
    readonly pending: (
      organizationId: OrganizationId,
      page: PageRequest
    ) => Effect.Effect<Page<DraftView> & { readonly total: number }, StoreFailure>
    /** What a check of a stored draft, or of another text, must know, in one statement. */
    readonly facts: (organizationId: OrganizationId, request: CheckRequest) => Effect.Effect<CheckFacts, StoreFailure>
    /** The same for many drafts, by id; those that are not there are left out. */
    readonly factsOfMany: (
      organizationId: OrganizationId,
      draftIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, CheckFacts>, StoreFailure>
  }
>()("@svc/core/outreach/DraftsRepo") {}
