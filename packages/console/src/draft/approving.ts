/** What the keys of a decision do with the item that is shown. */

import { type Pressed, shownKey } from "../keys/keyMap.ts"
import { approval, type Leaving } from "../outbox/calls.ts"
import { decideAll, decideOn } from "../outbox/deciding.ts"
import { current, queue } from "../queue/reading.ts"
import {
  closeDialog,
  confirmed,
  details,
  dialog,
  editing,
  marked,
  opened,
  say,
  shown,
  variation
} from "../screen/state.ts"
import type { Details } from "../service/shapes.ts"
import { isSame, readingTime, verdictOf } from "./guard.ts"
import { findingsOf, isClean, isReviewable } from "./Reading.ts"

const scroller = () => document.querySelector<HTMLElement>("[data-text]")

const isRead = (): boolean => {
  const box = scroller()
  return box === null || box.scrollTop + box.clientHeight >= box.scrollHeight - 24
}

const verdict = (pressed: Pressed) => {
  const details = current.value
  const target = details && {
    itemId: details.item.item_id,
    contentHash: details.content_hash,
    variation: variation.value
  }
  const known = confirmed.value
  return verdictOf({
    ...pressed,
    target,
    shown: shown.value,
    isReviewable: details !== undefined && isReviewable(details),
    isSaving: editing.value !== undefined,
    isRead: isRead(),
    hasErrors:
      details !== undefined && findingsOf(details, variation.value).some(({ severity }) => severity === "error"),
    confirmedAt: target !== undefined && isSame(known, target) ? known.at : undefined
  })
}

/** Runs `then` with the item if the press may approve it, or says why not. */
const ifApproved = (pressed: Pressed, then: (details: Details) => void): void => {
  const found = current.value
  const answer = verdict(pressed)
  if (answer === "approve" && found !== undefined) then(found)
  else if (answer === "confirm" && shown.value !== undefined) {
    confirmed.value = { ...shown.value, at: pressed.at }
    say("This text has an error. Press the key again to approve it anyway.", "problem")
  } else if (answer === "scroll") {
    const box = scroller()
    box?.scrollBy({ top: box.clientHeight * 0.8 })
    say("There is more of this text. Read on, then press again.")
  } else if (answer === "saving") say(`Save the text first: ${shownKey("mod+Enter")}.`)
  else if (answer === "closed") say("This item is no longer in review.")
  else if (answer === "loading") say("Still loading. Press again when the text is on screen.")
  else if (!pressed.isRepeat) say("Read it first: A works once the text has been on screen for 0.3 s.")
}

const askBatch = (when: Leaving, openedAt: number): void => {
  dialog.value = { kind: "batch", when, openedAt }
}

/** `a`. */
export const approve = (pressed: Pressed): void => {
  if (marked.value.size === 0) ifApproved(pressed, (found) => decideOn(found.item, approval(found, variation.value)))
  else if (!pressed.isRepeat) askBatch({}, pressed.at)
}

/** Asks when what is approved may leave. */
const askWhen = (onChoose: (when: Leaving) => unknown): void => {
  dialog.value = {
    kind: "until",
    title: "Approve, to be sent not before…",
    isApproval: true,
    onChoose: (at) => at !== null && onChoose({ not_before: at })
  }
}

/** What changed since a question was asked is not approved. */
const decideAsked = ({ content_hash }: Details, when: Leaving): void => {
  const found = current.value
  if (found?.content_hash !== content_hash) say("The text changed. Read it again.", "problem")
  else decideOn(found.item, approval(found, variation.value, when))
}

/** `m`: asks when. */
export const approveLater = (pressed: Pressed): void => {
  if (marked.value.size > 0) askWhen((when) => setTimeout(() => askBatch(when, performance.now())))
  else
    ifApproved(pressed, (found) => {
      if (found.item.kind === "approval") say("A request has the time that was asked for.", "problem")
      else askWhen((when) => decideAsked(found, when))
    })
}

/** `⇧A`: asks first. */
export const askToSend = (pressed: Pressed): void =>
  ifApproved(pressed, (found) => {
    if (approval(found, variation.value, { send_now: true }) === undefined)
      say("Only messages can be sent at once.", "problem")
    else dialog.value = { kind: "send", details: found, openedAt: pressed.at }
  })

/** Sends what the dialog names. */
export const sendNow = (pressed: Pressed): void => {
  const asked = dialog.value
  if (asked?.kind !== "send" || pressed.isRepeat || pressed.at - asked.openedAt < readingTime) return
  closeDialog()
  decideAsked(asked.details, { send_now: true })
}

/** The marked items that may be approved together: opened, and without errors and warnings. */
export const batch = (): ReadonlyArray<Details> =>
  queue.rows.value.items.flatMap(({ item_id }) => {
    const found = details.value.get(item_id)
    return marked.value.has(item_id) && opened.value.has(item_id) && found !== undefined && isClean(found)
      ? [found]
      : []
  })

/** Approves them. */
export const approveBatch = (pressed: Pressed): void => {
  const asked = dialog.value
  if (asked?.kind !== "batch" || pressed.isRepeat || pressed.at - asked.openedAt < readingTime) return
  const pairs = batch().flatMap((found) => {
    const proposal = approval(found, 0, asked.when)
    return proposal === undefined ? [] : [[found.item, proposal] as const]
  })
  closeDialog()
  if (pairs.length > 0) decideAll(pairs)
  else say("Open each draft first. Only clean drafts can be approved together.", "problem")
}
