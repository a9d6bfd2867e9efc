/** What somebody typed and did not save yet: kept in this browser until it is saved or discarded, for the person who typed it. */
import { owner } from "../screen/state.ts"
import { base } from "../service/request.ts"

/**
 * A kept text, what was stored when it was typed, and the key under which it was sent, so that sending it again has no second
 * effect.
 */
export interface Kept<A> {
  readonly value: A
  readonly before?: A
  readonly sentAs?: { readonly value: string; readonly key: string }
}

const nameOf = (id: string): string => `svc-kept ${base || "/"} ${owner()} ${id}`

/** The ids of what is kept for this person. */
export const keptIds = (): ReadonlyArray<string> =>
  Object.keys(localStorage).flatMap((name) => (name.startsWith(nameOf("")) ? [name.slice(nameOf("").length)] : []))

/** A random id. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")

/** What is kept under an id. */
export const readKept = <A>(id: string): Kept<A> | undefined => {
  try {
    return JSON.parse(localStorage.getItem(nameOf(id)) ?? "null") ?? undefined
  } catch {
    return undefined
  }
}

const write = (id: string, kept: Kept<unknown>): void => {
  try {
    localStorage.setItem(nameOf(id), JSON.stringify(kept))
  } catch {
    // Private windows of some browsers keep nothing.
  }
}

/** Keeps a value until it is saved. */
export const keep = <A>(id: string, value: A, before?: A): void => write(id, { ...readKept(id), value, before })

/** Forgets it: it was saved or discarded. */
export const dropKept = (id: string): void => localStorage.removeItem(nameOf(id))

/** The Idempotency-Key for sending a value: the same as long as the value is. */
export const keyFor = (id: string, value: unknown): string => {
  const text = JSON.stringify(value)
  const kept = readKept(id)
  if (kept?.sentAs?.value === text) return kept.sentAs.key
  const key = newId()
  write(id, { value, ...kept, sentAs: { value: text, key } })
  return key
}
