/**
 * The folders of embedded databases that this process has open. A program that is loaded anew in the same process, as servers
 * for development do, does not close what it had open, so whoever opens a folder closes the service that has it.
 */
import { realpathSync } from "node:fs"
import { resolve } from "node:path"

type Close = () => Promise<void>

/** By path: how to close the service that has the folder, when it is open; undefined if it could not be opened. */
type Folders = Map<string, Promise<Close | undefined>>

// Of the process, not of this copy of the module: whoever is loaded anew has another one.
const registry = Symbol.for("@svc/embed/folders")

const folders = (): Folders => {
  const known: unknown = Reflect.get(globalThis, registry)
  if (known instanceof Map) return known
  const made: Folders = new Map()
  Reflect.set(globalThis, registry, made)
  return made
}

const pathOf = (directory: string): string => {
  try {
    return realpathSync(directory)
  } catch {
    return resolve(directory)
  }
}

/** A folder that is being opened: says how its service is closed, undefined if it could not be opened. */
interface TakenFolder {
  readonly opened: (close: Close | undefined) => void
  /** The service is closed. */
  readonly left: () => void
}

/** Takes a folder, one after the other, when the service of this process that has it is closed. */
export const takeFolder = async (directory: string): Promise<TakenFolder> => {
  const path = pathOf(directory)
  const known = folders()
  const before = known.get(path)
  let opened: TakenFolder["opened"] = () => {}
  const own = new Promise<Close | undefined>((done) => {
    opened = done
  })
  known.set(path, own)
  const close = await before
  await close?.()
  return {
    opened,
    left: () => {
      if (known.get(path) === own) known.delete(path)
    }
  }
}
