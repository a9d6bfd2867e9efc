/** LinkedIn drafts of organizations: the port. Every method sees one organization only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Failure } from "../Failure.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { DraftRow } from "./DraftRow.ts"
import type { DraftStatus } from "./DraftStatus.ts"
import type { DraftView } from "./DraftView.ts"

/** Which drafts of a list; undefined and an empty `status` mean any. `mission` and `agent` are an id or a handle. */
export interface DraftFilter {
  readonly status: ReadonlyArray<DraftStatus>
  readonly leadId: string | undefined
  readonly mission: string | undefined
  readonly agent: string | undefined
}

/** Which unfinished drafts something that happened to another record touches. */
export type DraftOwner =
  | { readonly leadId: string }
  /** Of some leads only, when these are given. */
  | { readonly missionId: string; readonly leadIds?: ReadonlyArray<string> }
  | { readonly agentId: string }

/** Stores drafts. Fails with UNAVAILABLE when the store cannot be reached. */
export class DraftsRepo extends Context.Service<
  DraftsRepo,
  {
    /** One draft with its surroundings. */
    readonly find: (organizationId: string, draftId: string) => Effect.Effect<DraftView | undefined, Failure>
    /**
     * As `find`, and keeps lead and draft from being changed by others until the transaction ends; the lead is held
     * first, as everything that changes a lead does.
     */
    readonly hold: (organizationId: string, draftId: string) => Effect.Effect<DraftView | undefined, Failure>
    /** As `hold`, for many drafts at once, in whatever order: those that are there, by id. */
    readonly holdMany: (
      organizationId: string,
      draftIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<DraftView>, Failure>
    /** The drafts of a lead, a mission or an agent that are under review or approved, held as `hold` holds one. */
    readonly holdOpen: (organizationId: string, owner: DraftOwner) => Effect.Effect<ReadonlyArray<DraftView>, Failure>
    /** The id of the draft for this lead and agent that is under review or approved: there is at most one. */
    readonly findOpen: (
      organizationId: string,
      leadId: string,
      agentId: string
    ) => Effect.Effect<string | undefined, Failure>
    /** Stores a new draft, unless the lead has an open one with the agent: its id is answered then. */
    readonly insert: (draft: DraftRow) => Effect.Effect<string | undefined, Failure>
    /**
     * Stores drafts that are held, in one statement. Fails with DRAFT_OPEN when the lead that a draft was moved to got
     * an open draft with the agent meanwhile.
     */
    readonly save: (organizationId: string, drafts: ReadonlyArray<DraftRow>) => Effect.Effect<void, Failure>
    /** Newest first. */
    readonly list: (
      organizationId: string,
      filter: DraftFilter,
      page: PageRequest
    ) => Effect.Effect<Page<DraftView>, Failure>
    /** The drafts under review, oldest first, at most `limit`, and how many there are. */
    readonly pending: (
      organizationId: string,
      limit: number
    ) => Effect.Effect<{ readonly drafts: ReadonlyArray<DraftView>; readonly total: number }, Failure>
  }
>()("@svc/core/linkedin/DraftsRepo") {}
