/** Where a process that delivers webhooks may be killed: the place, and the how many-th time it is reached. */
export const deliveryPoints = [
  { name: "when deliveries are made and not committed", at: "in-tell", on: 1 },
  { name: "when deliveries are made", at: "after-tell", on: 1 },
  { name: "when the first is taken", at: "after-claim", on: 1 },
  { name: "when later ones are taken", at: "after-claim", on: 3 },
  { name: "when a request is on its way", at: "request-left", on: 1 },
  { name: "when many requests are on their way", at: "request-left", on: 7 },
  { name: "when a receiver answered", at: "after-answer", on: 1 },
  { name: "when several receivers answered", at: "after-answer", on: 6 },
  { name: "when an outcome is written and not committed", at: "before-outcome", on: 1 },
  { name: "when a later outcome is written and not committed", at: "before-outcome", on: 5 },
  { name: "when an outcome is stored", at: "after-outcome", on: 2 }
] as const

/** A place in the life of a delivery. */
export type DeliveryPlace = (typeof deliveryPoints)[number]["at"]
