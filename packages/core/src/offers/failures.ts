/** The failures of offers. */

import { Failure } from "../kernel/failure/Failure.ts"
import type { OfferId } from "../kernel/schema/IdsAndTime.ts"

/** Missions that are not archived use the offer; `missions` are the handles of the first ones. */
export class OfferInUse extends Failure.define("OFFER_IN_USE")<{
  readonly offerId: OfferId
  readonly missions: ReadonlyArray<string>
}> {}
