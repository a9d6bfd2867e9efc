/** Definitions of own fields, and saved filters: the port. Every method sees one organization only. */
import * as Context from "effect/Context"
import type { StoreMethod } from "../kernel/failure/failures.ts"
import type { InstantText } from "../kernel/schema/IdsAndTime.ts"
import type { OwnField } from "./ownFields.ts"

/** A filter of `lead.search` under a name, which is compared ignoring case. */
export interface SavedFilter {
  readonly name: string
  /** The input fields, as they were sent. */
  readonly filter: Readonly<Record<string, unknown>>
  readonly updatedAt: InstantText
}

/** Stores definitions and filters. Every method fails with UNAVAILABLE when the store cannot be reached. */
export class LeadFieldsRepo extends Context.Service<
  LeadFieldsRepo,
  {
    /** Locks the definitions and filters of the organization until the transaction ends. */
    readonly hold: StoreMethod<[], void>
    /** All definitions, by creation time, then by key. */
    readonly fields: StoreMethod<[], ReadonlyArray<OwnField>>
    /** Stores a definition; one with its key is replaced, except for its creation time. */
    readonly saveField: StoreMethod<[field: OwnField], void>
    /** The filters, by folded name; only the one with a name when that is given. */
    readonly filters: StoreMethod<[name?: string], ReadonlyArray<SavedFilter>>
    /** Stores a filter; one with its name is replaced. */
    readonly saveFilter: StoreMethod<[filter: SavedFilter], void>
    /** Removes a filter; returns whether there was one. */
    readonly removeFilter: StoreMethod<[name: string], boolean>
    /** The tags of live leads as labels have them, sorted, at most `limit`. */
    readonly tags: StoreMethod<[limit: number], ReadonlyArray<string>>
  }
>()("@svc/core/leads/LeadFieldsRepo") {}
