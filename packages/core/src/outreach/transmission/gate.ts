/**
 * What the gate reads and what becomes of what it refuses, before something is sent and again after a failed attempt, as things
 * may have changed while the provider was asked. `eligibility.ts` decides.
 */

import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Actor } from "../../kernel/command/Execution.ts"
import type { StoreFailure } from "../../kernel/failure/failures.ts"
import type { InstantText } from "../../kernel/schema/IdsAndTime.ts"
import type { PrivacyRepo } from "../../leads/privacy/PrivacyRepo.ts"
import type { DraftView } from "../drafts/DraftView.ts"
import { findSuppression } from "../drafts/readDraft.ts"
import type { LinkedInAccount } from "../provider/LinkedInAccount.ts"
import { changeSince } from "./approvedRecipient.ts"
import { carryOut } from "./carryOut.ts"
import { decide } from "./decide.ts"
import { wordingOfDraft, wordingOfInvitation } from "./disclosure.ts"
import type { Decision, Facts, Refused } from "./eligibility.ts"
import type { Life } from "./Life.ts"
import type { Invitation } from "./Transmission.ts"
import type { TransmissionsRepo } from "./TransmissionsRepo.ts"
import type { TransmissionView } from "./TransmissionView.ts"

/** The facts of what was approved. `account` is what the agent has now. */
export const readFacts = Effect.fnUntraced(function* (
  view: DraftView | TransmissionView<Invitation>,
  account: Pick<LinkedInAccount, "id"> | undefined,
  decided: Decision
): Effect.fn.Return<Facts, StoreFailure, Actor | PrivacyRepo | TransmissionsRepo> {
  const { agent, lead, mission, rules } = view
  const [wording, approved] =
    "item" in view
      ? [wordingOfDraft(view.row), { recipient: view.row.recipient, accountId: view.item?.accountId ?? null }]
      : [wordingOfInvitation(view.row), view.row]
  const suppressed = yield* findSuppression(lead)
  const changed = yield* changeSince(approved, lead, account?.id)
  return { agent, lead, mission, rules, wording, decided, suppressed, changed, hasAccount: account !== undefined }
})

const events = { cancel: "Cancel", review: "Withdraw", fail: "Block" } as const

/** Takes what is held out of the queue, as the gate says; returns the rows as they are then. */
export const applyRefusal = Effect.fnUntraced(function* (
  life: Life,
  { action, failure, reason }: Refused,
  at: InstantText
) {
  const _tag = life.draft === null ? "Cancel" : events[action]
  const decided = decide(life, { _tag, reason, detail: failure.message }, at)
  return Result.isSuccess(decided) ? yield* carryOut(decided.success, at) : life
})
