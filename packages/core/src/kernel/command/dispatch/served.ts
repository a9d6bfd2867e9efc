/** What commands need, in the fibers that run them. */
import * as Context from "effect/Context"
import { TracerEnabled } from "effect/References"
import { isRecorded } from "../../telemetry/tracing.ts"

type Services = Context.Context<never>

/** The services of commands that a fiber has, because it belongs to the same service. */
const Served = Context.Reference<Services | undefined>("@svc/core/Served", { defaultValue: () => undefined })

/** The services with a mark, for whoever builds them: copying dozens of services costs more than some commands. */
export const marked = <R>(services: Context.Context<R>): Context.Context<R> =>
  Context.add(services, Served, services as Services)

/**
 * The context of a fiber with {@link marked} services, which it may have already. Spans are off where nobody records them.
 */
export const served = (services: Services): ((fiber: Services) => Services) => {
  const mark = Context.get(services, Served)
  return (fiber) =>
    Context.add(
      Context.get(fiber, Served) === mark ? fiber : Context.merge(fiber, services),
      TracerEnabled,
      isRecorded(fiber)
    )
}
