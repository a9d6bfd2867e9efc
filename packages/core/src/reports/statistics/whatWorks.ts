/**
 * What works in a mission: what came of its messages, by step, variation and writer. It names no winner.
 *
 * A message counts when it was sent for the mission, an invitation when it was for one of its drafts. A reply, and that the person
 * is positive, counts for the latest message before the person's first reply to the mission; without a reply, for the latest.
 */

import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import { visibleText } from "../../kernel/schema/TextRules.ts"
import { wilson } from "./wilson.ts"

const count = (description: string) => Schema.Int.annotate({ description })

const counts = {
  contacted: count("People who got a message"),
  invited: count("Invitations sent"),
  sent: count("Messages and emails sent"),
  accepted: count("Accepted invitations"),
  replied: count("People who replied"),
  positive: count("People who are interested or booked a meeting")
}

/** What was counted of the messages with one value: of a step from 0, of a variation from 0, or of a writer as `writerOf` names one. */
export interface WrittenGroup extends Readonly<Record<keyof typeof counts, number>> {
  readonly by: "steps" | "variations" | "writers"
  readonly value: string | null
}

const Interval = Schema.NullOr(Schema.Struct({ rate: Schema.Finite, low: Schema.Finite, high: Schema.Finite }))

const groups = <Fields extends Schema.Struct.Fields>(fields: Fields, description: string) =>
  Schema.Array(
    Schema.Struct({
      ...fields,
      ...counts,
      rates: Schema.Struct({
        accepted: Interval.annotate({ description: "accepted / invited" }),
        replied: Interval.annotate({ description: "replied / contacted" }),
        positive: Interval.annotate({ description: "positive / contacted" })
      })
    })
  ).annotate({ description })

const index = Schema.NullOr(Schema.Int)

/** What works, as it is shown. */
export const WhatWorks = Schema.Struct({
  steps: groups({ step: index }, "By step of the mission, starting at 1; null for messages that are no follow-up"),
  variations: groups({ variation_index: index }, "By the chosen variation, starting at 0; null for emails"),
  writers: groups(
    { writer: Schema.Struct({ kind: Schema.Literals(["USER", "AI_AGENT"]), model: Schema.NullOr(Schema.String) }) },
    "By who wrote or edited the text last; model as the writer names it"
  )
}).annotate({
  description:
    "Results of the mission's messages in the time range. Each rate has its 95 % interval (Wilson): where intervals overlap, a " +
    "difference may be chance"
})

const groupOf = ({ accepted, contacted, invited, positive, replied, sent }: WrittenGroup) => ({
  ...{ contacted, invited, sent, accepted, replied, positive },
  rates: {
    accepted: wilson(accepted, invited),
    replied: wilson(replied, contacted),
    positive: wilson(positive, contacted)
  }
})

const writerIn = (value: string | null) => {
  const [kind, ...model] = (value ?? "").split(" ")
  return {
    kind: kind === "AI_AGENT" ? ("AI_AGENT" as const) : ("USER" as const),
    model: visibleText(model.join(" ")) || null
  }
}

const numberIn = (value: string | null, first: number) => (value === null ? null : Number(value) + first)

/** What works, of groups in any order. */
export const whatWorksOf = (found: ReadonlyArray<WrittenGroup>): typeof WhatWorks.Type => {
  const sorted = found.toSorted((a, b) => Order.String(a.value ?? "", b.value ?? ""))
  const of = (by: WrittenGroup["by"]) => sorted.filter((group) => group.by === by)
  return {
    steps: of("steps").map((group) => ({ step: numberIn(group.value, 1), ...groupOf(group) })),
    variations: of("variations").map((group) => ({ variation_index: numberIn(group.value, 0), ...groupOf(group) })),
    writers: of("writers").map((group) => ({ writer: writerIn(group.value), ...groupOf(group) }))
  }
}
