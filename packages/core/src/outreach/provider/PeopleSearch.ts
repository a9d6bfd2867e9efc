/** What a people search of a provider found. */

/**
 * A person found by a search. Absent tokens are unknown, of the first two there is at least one; `degree` is 1 to 3, or
 * null out of network.
 */
export interface FoundPerson {
  readonly profileToken?: string
  readonly salesNavToken?: string
  readonly memberId?: string
  readonly publicSlug: string | null
  readonly firstName: string
  readonly lastName: string
  readonly headline: string
  readonly jobTitle: string
  readonly company: string
  readonly location: string
  readonly profileUrl: string
  readonly pictureUrl: string | null
  readonly degree: number | null
}

/** A page of a people search. `next` is null after the last page; `total` is what the provider says there are. */
export interface PeoplePage {
  readonly people: ReadonlyArray<FoundPerson>
  readonly next: string | null
  readonly total: number
}
