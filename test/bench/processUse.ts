/** What a process uses, as the system tells it. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"

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

const sample = (pid: number): number =>
  Number(execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" })) * 1024

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

/** Processor time that a process has used, in seconds; 0 where the system does not tell or the process is gone. */
export const cpuSeconds = (pid: number): number => {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
    return (Number(fields[11]) + Number(fields[12])) / ticksASecond
  } catch {
    return 0
  }
}
