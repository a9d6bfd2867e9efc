/** Keeps decisions in the browser until they are confirmed, each under its own name, so that windows do not overwrite each other. */
import type { Decision } from "./Outbox.ts"

const prefix = (base: string) => `svc-outbox ${base || "/"} `

/** Those that an earlier page left. */
export const readDecisions = (base: string): ReadonlyArray<Decision> =>
  Object.keys(localStorage)
    .filter((name) => name.startsWith(prefix(base)))
    .flatMap((name) => {
      try {
        return [JSON.parse(localStorage.getItem(name) ?? "") as Decision]
      } catch {
        localStorage.removeItem(name)
        return []
      }
    })
    .toSorted((a, b) => a.at - b.at)

/** Writes one. Fails silently when the browser has no room: it is still in memory. */
export const keepDecision = (base: string, decision: Decision): void => {
  try {
    localStorage.setItem(prefix(base) + decision.id, JSON.stringify(decision))
  } catch {
    // Private windows of some browsers keep nothing.
  }
}

/** Removes one. */
export const dropDecision = (base: string, id: string): void => localStorage.removeItem(prefix(base) + id)
