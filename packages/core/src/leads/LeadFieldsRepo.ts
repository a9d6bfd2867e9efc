/** What an organization sets up for its leads, and the tags that they have: the port. Every method sees one organization only. */
import * as Context from "effect/Context"
import type { StoreMethod } from "../kernel/failure/failures.ts"
import type { OwnField } from "./ownFields.ts"

/** Definitions of own fields, the oldest first, and saved filters of `lead.search`: their input fields as they were sent. */
export interface LeadSetup {
  readonly fields: ReadonlyArray<OwnField>
  readonly filters: ReadonlyArray<{ readonly name: string; readonly filter: Readonly<Record<string, unknown>> }>
}

/** Stores the set-up. Every method fails with UNAVAILABLE when the store cannot be reached. */
export class LeadFieldsRepo extends Context.Service<
  LeadFieldsRepo,
  {
    /** The set-up; empty until something is saved. */
    readonly read: StoreMethod<[], LeadSetup>
    /** Reads the set-up and locks it until the transaction ends. */
    readonly hold: StoreMethod<[], LeadSetup>
    /** Replaces what is held. */
    readonly save: StoreMethod<[setup: LeadSetup], void>
    /** The tags of live leads as labels have them, sorted, at most `limit`. */
    readonly tags: StoreMethod<[limit: number], ReadonlyArray<string>>
  }
>()("@svc/core/leads/LeadFieldsRepo") {}
