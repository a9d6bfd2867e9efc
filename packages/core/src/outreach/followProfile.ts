/** The same person under a new profile: where another one is shown than was approved, the provider says whether both are one member. */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { asService, runAsService } from "../kernel/background/Worker.ts"
import type { OrganizationId } from "../kernel/schema/IdsAndTime.ts"
import { counted } from "./accountUse.ts"
import { isSameRecipient, recipientNow } from "./approval.ts"
import { DraftsRepo, type DraftView, holdDraft } from "./DraftsRepo.ts"
import { accountIfAny, LinkedInGateway, withTimeout } from "./provider/LinkedInGateway.ts"
import { SendOptions } from "./SendOptions.ts"
import type { Invitation, TransmissionView } from "./Transmission.ts"
import { holdInvitation, TransmissionsRepo } from "./TransmissionsRepo.ts"

type Bound = DraftView | TransmissionView<Invitation>

/** Whether this profile is shown of the person, and that one was approved. */
const isRenamed = Effect.fnUntraced(function* ({ lead, row }: Bound) {
  const shown = yield* recipientNow(lead)
  const approved = row.approved?.recipient ?? []
  const isOther = approved.length > 0 && shown.length > 0 && !isSameRecipient(approved, shown)
  return isOther ? { approved, shown } : undefined
})

/**
 * Binds the approval of what is due to the profile that is shown now, if the provider knows both as one member. Asks it nothing
 * where the profile is the approved one, and changes nothing where it cannot say. Outside of any transaction.
 */
export const followProfile = Effect.fnUntraced(function* (organizationId: OrganizationId, view: Bound) {
  const renamed = yield* asService(organizationId, isRenamed(view))
  const account = renamed && (yield* asService(organizationId, accountIfAny(view.agent.id)))
  if (renamed === undefined || account?.status !== "OK") return
  const { resolveProfile } = yield* LinkedInGateway
  const { readSeconds } = yield* SendOptions
  const memberOf = (identities: typeof renamed.shown) =>
    counted(account, "profile_view", withTimeout(resolveProfile(account, identities), readSeconds)).pipe(
      Effect.option,
      Effect.map(Option.flatMap(({ providerId }) => Option.liftPredicate(providerId, (id) => id !== "")))
    )
  const member = yield* memberOf(renamed.approved)
  if (Option.isNone(member) || Option.getOrNull(yield* memberOf(renamed.shown)) !== member.value) return
  const rebind = Effect.gen(function* () {
    const held = "item" in view ? yield* holdDraft(view.row.id) : yield* holdInvitation(view.row.id)
    const now = yield* isRenamed(held)
    // What was looked up is what is shown and approved still.
    if (now === undefined || !isSameRecipient(now.approved, renamed.approved)) return
    if (!isSameRecipient(now.shown, renamed.shown) || held.row.approved === null) return
    const approved = { ...held.row.approved, recipient: now.shown }
    if ("item" in held) yield* (yield* DraftsRepo).save(organizationId, [{ ...held.row, approved }])
    else yield* (yield* TransmissionsRepo).save(organizationId, [{ ...held.row, approved }])
  })
  yield* runAsService(organizationId, rebind)
})
