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

/** The names of what is stored in this browser that begin with a prefix. */
export const storedNames = (prefix: string): ReadonlyArray<string> =>
  Object.keys(localStorage).filter((name) => name.startsWith(prefix))

/** What is stored in this browser under a name, if it can be read. */
export const readStored = <A>(name: string): A | undefined => {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "null") ?? undefined
  } catch {
    return undefined
  }
}

/** Stores a value in this browser. Fails silently when the browser has no room: it is still in memory. */
export const store = (name: string, value: unknown): void => {
  try {
    localStorage.setItem(name, JSON.stringify(value))
  } catch {
    // Private windows of some browsers keep nothing.
  }
}

/** The ids of what is kept for this person. */
export const keptIds = (): ReadonlyArray<string> => storedNames(nameOf("")).map((name) => name.slice(nameOf("").length))

/** A random id. */
export const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")

/** What is kept under an id. */
export const readKept = <A>(id: string): Kept<A> | undefined => readStored(nameOf(id))

/** Keeps a value until it is saved. */
export const keep = <A>(id: string, value: A, before?: A): void => store(nameOf(id), { ...readKept(id), value, before })

/** Forgets it: it was saved or discarded. */
export const dropKept = (id: string): void => localStorage.removeItem(nameOf(id))

/** The Idempotency-Key for sending a value: the same as long as the value is. */
export const keyFor = (id: string, value: unknown): string => {
  const text = JSON.stringify(value)
  const kept = readKept(id)
  if (kept?.sentAs?.value === text) return kept.sentAs.key
  const key = newId()
  store(nameOf(id), { value, ...kept, sentAs: { value: text, key } })
  return key
}
