/**
 * What else depends on an agent that is about to be deleted: the messages waiting to be sent in its name.
 *
 * The queue belongs to a later domain, so this is a port that it fills. Source: G32.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Execution } from "../Execution.ts"
import type { Failure } from "../Failure.ts"

/** Both methods run inside the transaction of the deletion; what the second one changes it states as events. */
export class AgentDeparture extends Context.Service<
  AgentDeparture,
  {
    /** How many messages of the agent are queued and not yet sent, ambiguous ones included. */
    readonly unsent: (organizationId: string, agentId: string) => Effect.Effect<number, Failure>
    /** The agent was deleted although it was in use: nothing may be sent in its name any more. */
    readonly onDeleted: (organizationId: string, agentId: string) => Effect.Effect<void, Failure, Execution>
  }
>()("@svc/core/agents/AgentDeparture") {}

/** Nothing is ever queued: for a catalogue without sending. */
export const layerNone: Layer.Layer<AgentDeparture> = Layer.succeed(AgentDeparture, {
  unsent: () => Effect.succeed(0),
  onDeleted: () => Effect.void
})
