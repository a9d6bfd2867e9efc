/**
 * The folder for temporary files of a run, in memory where the system has a file system there (`/dev/shm`) with room enough:
 * otherwise making the files of databases is a tenth of what the tests take. `TMPDIR` wins.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from "node:fs"
import { join } from "node:path"

const memory = "/dev/shm"
const prefix = "svc-tests-"
/** What a run takes at most, several times over. */
const roomBytes = 8 * 2 ** 30

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Makes the folder and names it in `TMPDIR`. Removes those of runs that were killed. */
export const useMemoryFolder = (): void => {
  if (process.env["TMPDIR"] !== undefined || !existsSync(memory)) return
  const { bavail, bsize } = statfsSync(memory)
  if (bavail * bsize < roomBytes) return
  for (const name of readdirSync(memory)) {
    const isLeft = name.startsWith(prefix) && !isRunning(Number(name.slice(prefix.length)))
    if (isLeft) rmSync(join(memory, name), { recursive: true, force: true })
  }
  const folder = join(memory, `${prefix}${process.pid}`)
  mkdirSync(folder, { recursive: true })
  // PostgreSQL may run as another user.
  chmodSync(folder, 0o1777)
  process.env["TMPDIR"] = folder
}

/** Removes the folder of this run, if it has one. */
export const removeMemoryFolder = (): void =>
  rmSync(join(memory, `${prefix}${process.pid}`), { recursive: true, force: true })
