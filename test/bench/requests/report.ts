/** The results as a table, and the machine that they are of. */
import { execFileSync } from "node:child_process"
import { createRequire } from "node:module"
import { arch, cpus, platform, release, totalmem } from "node:os"
import { join } from "node:path"
import { findPostgres } from "../../support/PostgresCluster.ts"
import type { Round } from "./rounds.ts"

/** The goals besides those of the scenarios: memory in bytes, and the first answer in proportion to the peer's. */
const goals = { memory: 150e6, firstAnswer: 0.7 } as const

/** A scenario with all rounds and their medians. */
export interface Result {
  readonly name: string
  readonly goal: number | undefined
  readonly rounds: Readonly<Record<"ours" | "peer", ReadonlyArray<Round>>>
  readonly ours: Round
  readonly peer: Round
  /** Requests a second of `node:http` with the same bytes, or of the peer's statements under `pgbench`. */
  readonly floor: number | undefined
}

/** Milliseconds to the first answer, and bytes of memory after the load. */
export interface Footprint {
  readonly firstAnswer: Readonly<Record<"ours" | "peer", number>>
  readonly memory: Readonly<Record<"ours" | "peer", number>>
  /** Commands a second in process on memory. */
  readonly inProcess: number
}

const verdict = (isMet: boolean): string => (isMet ? "met" : "MISSED")

const rangeOf = (rounds: ReadonlyArray<Round>): string => {
  const rates = rounds.map(({ rate }) => rate)
  return `${Math.round(Math.min(...rates))}-${Math.round(Math.max(...rates))}`
}

const headings = [
  "scenario",
  "ours req/s (range)",
  "peer req/s (range)",
  "ratio",
  "goal",
  "floor req/s",
  "ours p50/p99 ms",
  "peer p50/p99 ms",
  "ours cpu µs: server+db",
  "peer cpu µs: server+db"
]

const rowOf = ({ floor, goal, name, ours, peer, rounds }: Result): ReadonlyArray<string> => {
  const ratio = ours.rate / peer.rate
  const latencies = ({ p50, p99 }: Round) => `${p50.toFixed(1)} / ${p99.toFixed(1)}`
  const cpu = ({ databaseCpu, serverCpu }: Round) => `${serverCpu.toFixed(0)} + ${databaseCpu.toFixed(0)}`
  return [
    name,
    `${ours.rate.toFixed(0)} (${rangeOf(rounds.ours)})`,
    `${peer.rate.toFixed(0)} (${rangeOf(rounds.peer)})`,
    ratio.toFixed(2),
    goal === undefined ? "" : `≥ ${goal} ${verdict(ratio >= goal)}`,
    floor?.toFixed(0) ?? "",
    latencies(ours),
    latencies(peer),
    cpu(ours),
    cpu(peer)
  ]
}

/** The table, also valid Markdown. */
export const formatTable = (results: ReadonlyArray<Result>, { firstAnswer, inProcess, memory }: Footprint): string => {
  const rows = [headings, ...results.map(rowOf)]
  const widths = headings.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: ReadonlyArray<string>) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`
  const [head = [], ...body] = rows
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`
  const share = firstAnswer.ours / firstAnswer.peer
  return [
    line(head),
    `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`,
    ...body.map(line),
    "",
    `memory after load: ours ${megabytes(memory.ours)} (goal ≤ ${megabytes(goals.memory)}, ${verdict(memory.ours <= goals.memory)}), peer ${megabytes(memory.peer)}`,
    `first answer after start: ours ${firstAnswer.ours.toFixed(0)} ms, peer ${firstAnswer.peer.toFixed(0)} ms, ratio ${share.toFixed(2)} (goal ≤ ${goals.firstAnswer}, ${verdict(share <= goals.firstAnswer)})`,
    `commands a second in process on memory: ${inProcess.toFixed(0)}`
  ].join("\n")
}

const versionOf = (name: string): string => {
  const { version }: { readonly version: string } = createRequire(import.meta.url)(`${name}/package.json`)
  return version
}

/** Processor, memory and versions. */
export const describeMachine = () => ({
  processor: cpus()[0]?.model.trim() ?? "unknown",
  cores: cpus().length,
  memory: totalmem(),
  system: `${platform()} ${release()} ${arch()}`,
  node: process.versions.node,
  postgres: execFileSync(join(findPostgres() ?? "", "postgres"), ["--version"], { encoding: "utf8" }).trim(),
  fastify: versionOf("fastify"),
  pg: versionOf("pg")
})
