/** Reading a page of agents: what the command and REST share. */
import * as Effect from "effect/Effect"
import { Actor } from "../Actor.ts"
import type { Failure } from "../Failure.ts"
import { type CursorSecret, readPage } from "../Page.ts"
import { type Agent, agentOf } from "./Agent.ts"
import { AgentsRepo } from "./AgentsRepo.ts"

/** A page of live agents, newest first. Fails with INVALID_CURSOR. */
export const listAgents = Effect.fnUntraced(function* (input: {
  readonly cursor?: string
  readonly limit: number
}): Effect.fn.Return<
  { readonly agents: ReadonlyArray<Agent>; readonly nextCursor: string | null },
  Failure,
  Actor | AgentsRepo | CursorSecret
> {
  const { organizationId } = yield* Actor
  const repo = yield* AgentsRepo
  const page = yield* readPage(organizationId, "agents", input, (request) => repo.list(organizationId, request))
  return { agents: page.items.map(agentOf), nextCursor: page.nextCursor }
})
