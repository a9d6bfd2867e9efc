/** What a check of a message must know: the port. It sees one organization only. */

import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { TextRules } from "../../kernel/command/Permission.ts"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { DraftId, LeadId, OrganizationId } from "../../kernel/schema/RecordIds.ts"
import type { AddressedText } from "./check/checkMessage.ts"
import type { EvidencedDraft } from "./check/evidenceFindings.ts"
import type { FactRecords } from "./check/references.ts"
import type { DraftRow } from "./DraftRow.ts"

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

/** Reads for checks, in one statement each. Fails with UNAVAILABLE when the store cannot be reached. */
export class DraftChecksRepo extends Context.Service<
  DraftChecksRepo,
  {
    readonly facts: (organizationId: OrganizationId, request: CheckRequest) => Effect.Effect<CheckFacts, StoreFailure>
    /** The same for many drafts, by id; those that are not there are left out. */
    readonly factsOfMany: (
      organizationId: OrganizationId,
      draftIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, CheckFacts>, StoreFailure>
  }
>()("@svc/core/linkedin/DraftChecksRepo") {}
