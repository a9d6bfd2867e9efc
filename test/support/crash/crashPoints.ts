/** Where a worker may be killed. */
export const crashPoints = ["before-claim", "after-claim", "after-attempt", "after-accept", "before-outcome"] as const

/** A place in the life of a message. */
export type CrashPoint = (typeof crashPoints)[number]
