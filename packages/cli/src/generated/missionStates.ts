/** Handles and states of missions, which the results of the commands do not have. */
import type { Failure } from "@svc/core"
import * as Effect from "effect/Effect"
import { dataOf, objectsOf, type Reply, type Target } from "../Target.ts"

type Row = Readonly<Record<string, unknown>>

/** Pages that are read to find the missions of a result. */
const mostPages = 20

const withFacts = (mission: Row, known: ReadonlyMap<string, Row>): Row => {
  const { handle, status } = known.get(String(mission["id"])) ?? {}
  if (handle === undefined) return mission
  const { id, name, status: _, ...rest } = mission
  return { id, name, handle, state: status, ...rest }
}

/** The reply, with `handle` and `state` in place of the coarser `status` of each mission. */
export const withMissionStates = (target: Target, reply: Reply): Effect.Effect<Reply, Failure> =>
  Effect.gen(function* () {
    const data = dataOf(reply)
    const { mission } = data
    const missions = mission === undefined ? objectsOf(data["missions"]) : [Object(mission)]
    const wanted = new Set(missions.map(({ id }) => String(id)))
    const known = new Map<string, Row>()
    let cursor: unknown = ""
    for (let page = 0; page < mostPages && wanted.size > 0 && typeof cursor === "string"; page++) {
      const [only] = wanted.size === 1 ? wanted : []
      const query = new URLSearchParams({ limit: "100", ...(cursor === "" ? {} : { cursor }) })
      const path = only === undefined ? `?${query}` : `/${encodeURIComponent(only)}`
      const found = dataOf(yield* target.send({ method: "GET", path: `/api/v1/missions${path}` }))
      for (const row of found["mission"] === undefined ? objectsOf(found["missions"]) : [Object(found["mission"])]) {
        if (wanted.delete(String(row["id"]))) known.set(String(row["id"]), row)
      }
      cursor = found["nextCursor"]
    }
    const changed =
      mission === undefined
        ? { missions: missions.map((one) => withFacts(one, known)) }
        : { mission: withFacts(Object(mission), known) }
    return { ...reply, body: { ...Object(reply.body), data: { ...data, ...changed } } }
  })
