/** Identifies a process, so that another process can later tell whether it still runs. */
import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"

/**
 * A process. `host` is the scope in which `pid` is unique: machine, boot and process namespace. `birth` is its start in clock
 * ticks since boot, which distinguishes it from a later process with the same pid; null when the system does not tell.
 */
interface ProcessIdentity {
  readonly pid: number
  readonly host: string
  readonly birth: string | null
}

/** `unknown`: the process has another host, or its pid may belong to another process. */
type Liveness = "alive" | "dead" | "unknown"

const orEmpty = (read: () => string): string => {
  try {
    return read().trim()
  } catch {
    return ""
  }
}

const hostIdentity = (): string =>
  [
    hostname(),
    orEmpty(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
    orEmpty(() => readlinkSync("/proc/self/ns/pid"))
  ].join("/")

/** Fields 3 (state) and 22 (start) of `/proc/PID/stat`; field 2, the name, may hold spaces and parentheses. */
const statOf = (pid: number): { readonly state: string | undefined; readonly birth: string | null } => {
  const stat = orEmpty(() => readFileSync(`/proc/${pid}/stat`, "utf8"))
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  return { state: fields[0], birth: fields[19] ?? null }
}

/** This process. */
export const currentProcess = (): ProcessIdentity => ({
  pid: process.pid,
  host: hostIdentity(),
  birth: statOf(process.pid).birth
})

const exists = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return cause instanceof Error && "code" in cause && cause.code === "EPERM"
  }
}

/** Whether the process still runs, without waiting. */
export const livenessOf = (owner: ProcessIdentity): Liveness => {
  if (owner.host !== hostIdentity()) return "unknown"
  if (!exists(owner.pid)) return "dead"
  const { birth, state } = statOf(owner.pid)
  // A zombie: killed, but not reaped by its parent.
  if (state === "Z" || state === "X") return "dead"
  if (birth === null || owner.birth === null) return "unknown"
  return birth === owner.birth ? "alive" : "dead"
}
