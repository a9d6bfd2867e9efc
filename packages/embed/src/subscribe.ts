/** Subscribing to the event feed: at least once, in order, whichever process an event comes from. */
import { setTimeout as sleep } from "node:timers/promises"
import { SvcError } from "@svc/client"
import type { InputEncodedOf, OutputOf } from "@svc/core"
import type { Commands } from "@svc/core/commands"
import { isFunction, isListOf, isOptions, isText, isWhole } from "@svc/core/names"
import { orThrow } from "./hostFailure.ts"
import type { Life } from "./life.ts"

/** The command that reads the feed. */
export type ListEvents = Extract<Commands, { readonly id: "event.list" }>

/** An event. `sequence` is its place in the organization's feed: the cursor to resume after. */
export type SvcEvent = OutputOf<ListEvents>["events"][number]

/** What to subscribe to. */
export interface SubscribeOptions {
  /** Only events of these types; default all. */
  readonly types?: ReadonlyArray<SvcEvent["type"]>
  /** The sequence number of the last event already handled; default 0, the beginning of the feed. */
  readonly after?: number
}

const isSubscribe = isOptions<SubscribeOptions>({ types: isListOf(isText), after: isWhole(0) })

/** A running subscription. */
export interface Subscription {
  /** Hands out no further event; resolves when a handler that is running has finished. */
  readonly unsubscribe: () => Promise<void>
  /**
   * Resolves when the subscription ends, by `unsubscribe` or `close()`. Rejects with {@link SvcError} where it cannot continue:
   * events after `after` were deleted because of their age (INVALID_CURSOR), or the caller may not read events.
   */
  readonly ended: Promise<void>
}

/** Subscribing to events. */
export interface EventsApi {
  /**
   * Calls the handler with one event after the other. An event whose handler throws is delivered again, after a pause that
   * grows to half a minute, and the next ones wait for it. Store `event.sequence` to resume after it.
   */
  readonly subscribe: (options: SubscribeOptions, handler: (event: SvcEvent) => void | Promise<void>) => Subscription
}

/** Milliseconds between two looks at a feed without news, and at most after failures. */
const interval = 500
const longestPause = 30_000

/** Waits, but no longer than until the signal aborts. */
const pause = (millis: number, signal: AbortSignal) => sleep(millis, undefined, { signal }).catch(() => {})

type List = (input: InputEncodedOf<ListEvents>) => Promise<OutputOf<ListEvents>>

/** `list` runs `event.list` as whoever subscribes. */
export const eventsApi = (list: List, life: Life): EventsApi => ({
  subscribe: (options, handler) => {
    orThrow(isSubscribe(options, "subscribe", true) ?? isFunction(handler, "handler"))
    const { after = 0, types } = options
    const stopping = new AbortController()
    const signal = AbortSignal.any([stopping.signal, life.closing])
    const filter = types === undefined ? {} : { types: types.join() }
    const follow = async () => {
      let failures = 0
      let last = after
      while (!signal.aborted) {
        try {
          const { events, next } = await list({ after: last, ...filter, limit: 100 })
          for (const event of events) {
            if (signal.aborted) return
            await handler(event)
            last = event.sequence
            failures = 0
          }
          last = Math.max(last, next)
          if (events.length === 0) await pause(interval, signal)
        } catch (error) {
          if (signal.aborted) return
          if (error instanceof SvcError && error.status < 500) throw error
          failures++
          await pause(Math.min(longestPause, interval * 2 ** failures), signal)
        }
      }
    }
    const ended = follow()
    // Who does not look at the end must not be stopped by it.
    ended.catch(() => {})
    return {
      ended,
      unsubscribe: async () => {
        stopping.abort()
        await ended.catch(() => {})
      }
    }
  }
})
