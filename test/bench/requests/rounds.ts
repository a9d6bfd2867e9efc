/** Rounds of load on servers in turn, and what they used. */
import { cpuSeconds, familySeconds } from "../processUse.ts"
import type { LoadRequest, LoadResult } from "./loadProcess.ts"
import { runProcess, type Server } from "./servers.ts"

/** A server under comparison, and how many requests of each scenario it has answered. */
export interface Side {
  readonly name: string
  readonly server: Server
  readonly answered: Map<string, number>
}

/** A measured round: latencies in milliseconds, processor time of a request in microseconds. */
export interface Round {
  readonly rate: number
  readonly p50: number
  readonly p99: number
  readonly serverCpu: number
  readonly databaseCpu: number
}

/** What all rounds share. */
export interface LoadSettings {
  readonly keys: ReadonlyArray<string>
  readonly connections: number
  readonly leads: number
  /** Process id of PostgreSQL. */
  readonly databasePid: number
}

/** Makes requests for some seconds. */
export const runRound = async (
  side: Side,
  scenario: string,
  seconds: number,
  { connections, databasePid, keys, leads }: LoadSettings
): Promise<Round> => {
  const { answered, server } = side
  const first = answered.get(scenario) ?? 0
  const before = { server: cpuSeconds(server.pid), database: familySeconds(databasePid) }
  const run = `${Date.now().toString(36)}${first.toString(36)}`
  const request: LoadRequest = { scenario, url: server.url, keys, connections, seconds, leads, first, run }
  const { p50, p99, requests, seconds: took } = await runProcess<LoadResult>("loadProcess.js", request)
  answered.set(scenario, first + requests)
  return {
    rate: requests / took,
    p50,
    p99,
    serverCpu: ((cpuSeconds(server.pid) - before.server) * 1e6) / requests,
    databaseCpu: ((familySeconds(databasePid) - before.database) * 1e6) / requests
  }
}

/** The middle of some numbers. */
export const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}

/** The medians of rounds. */
export const medianRound = (rounds: ReadonlyArray<Round>): Round => ({
  rate: median(rounds.map(({ rate }) => rate)),
  p50: median(rounds.map(({ p50 }) => p50)),
  p99: median(rounds.map(({ p99 }) => p99)),
  serverCpu: median(rounds.map(({ serverCpu }) => serverCpu)),
  databaseCpu: median(rounds.map(({ databaseCpu }) => databaseCpu))
})
