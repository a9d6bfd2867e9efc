/** Due work in the in-memory store: every organization may have some, the one whose last turn is longest ago first. */
import { type DueKind, DueWork, type OrganizationId } from "@svc/core"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import { everywhere, repository } from "../MemoryStore.ts"

/** Keeps only the turns: workers find out in the tables what is due. */
export const layer = repository(DueWork)((store) => {
  let turn = 0
  const turns = new Map<string, number>()
  const lastTurn = (kind: DueKind, id: OrganizationId) => turns.get(`${kind}/${id}`) ?? 0
  return {
    find: (kind, _now, limit) =>
      Effect.map(store.published, (state) => {
        const ids = new Set(Array.from(HashMap.keys(state), (key) => key.slice(key.indexOf("/") + 1)))
        ids.delete(everywhere)
        return [...ids].toSorted((a, b) => lastTurn(kind, a) - lastTurn(kind, b)).slice(0, limit)
      }),
    settle: (id, kind) =>
      Effect.sync(() => {
        turn++
        turns.set(`${kind}/${id}`, turn)
      })
  }
})
