/**
 * Which process is which: enough to say, later and from another process, whether it still runs.
 *
 * Source: contract 4 ("liveness by pid"); ecosystem research, section 7.1.
 */
import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"

/**
 * A process as others can find it again. `host` names the space in which `pid` is unique: machine, boot and process
 * namespace. `birth` is its start in clock ticks since boot, which tells it from a later process with the same pid; it
 * is null where the system does not say.
 */
export interface ProcessIdentity {
  readonly pid: number
  readonly host: string
  readonly birth: string | null
}

/** `unknown`: the process is of another host, or its pid is taken by a process that may be another one. */
export type Liveness = "alive" | "dead" | "unknown"

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

/** Whether the process still runs, as far as this process can know without waiting. */
export const livenessOf = (owner: ProcessIdentity): Liveness => {
  if (owner.host !== hostIdentity()) return "unknown"
  if (!exists(owner.pid)) return "dead"
  const { birth, state } = statOf(owner.pid)
  // Killed, but its parent has not noticed yet.
  if (state === "Z" || state === "X") return "dead"
  if (birth === null || owner.birth === null) return "unknown"
  return birth === owner.birth ? "alive" : "dead"
}
