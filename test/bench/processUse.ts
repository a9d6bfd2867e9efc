/** What a process uses, as the system tells it. */
import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"

/** Memory of a process, in bytes: the system's own peak where it keeps one, that of samples elsewhere. */
export interface MemoryWatch {
  readonly peak: () => number
  readonly stop: () => void
}

const kernelPeak = (pid: number): number | undefined => {
  try {
    const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}

/** 0 of a process that has ended. */
const sample = (pid: number): number =>
  Number(spawnSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }).stdout) * 1024

/** Watches the resident memory of a process until it is stopped. */
export const watchMemory = (pid: number): MemoryWatch => {
  let highest = 0
  const look = () => {
    highest = Math.max(highest, kernelPeak(pid) ?? sample(pid))
  }
  const timer = setInterval(look, 250)
  return {
    peak: () => {
      look()
      return highest
    },
    stop: () => clearInterval(timer)
  }
}

const ticksASecond = 100

/** Parent and processor time in seconds, of the process alone and of its children that ended. */
const timesOf = (pid: number) => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
    const [own = 0, ended = 0] = [fields.slice(11, 13), fields.slice(13, 15)].map((ticks) =>
      ticks.reduce((sum, count) => sum + Number(count) / ticksASecond, 0)
    )
    return { parent: Number(fields[1]), own, ended }
  } catch {
    return { parent: 0, own: 0, ended: 0 }
  }
}

/** Processor time that a process has used, in seconds; 0 where the system does not tell. */
export const cpuSeconds = (pid: number): number => timesOf(pid).own

/** As {@link cpuSeconds}, of a process with its children, those that ended included. */
export const familySeconds = (pid: number): number => {
  const { ended, own } = timesOf(pid)
  const others = existsSync("/proc") ? readdirSync("/proc").filter((name) => /^\d+$/.test(name)) : []
  const children = others.map((name) => timesOf(Number(name))).filter(({ parent }) => parent === pid)
  return children.reduce((sum, child) => sum + child.own, own + ended)
}

/** Resident memory of a process now, in bytes. */
export const residentBytes = (pid: number): number => {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
    if (kilobytes !== undefined) return Number(kilobytes) * 1024
  } catch {
    // Elsewhere than on Linux there is no such file.
  }
  return sample(pid)
}
