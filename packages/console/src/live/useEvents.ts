/** What is read again when something happened. */
import { useSignalEffect } from "@preact/signals"
import { feed } from "./follow.ts"

/** Calls `then` after events of these types. */
export const useEvents = (types: RegExp, then: () => unknown): void =>
  useSignalEffect(() => {
    if (feed.value.some(({ type }) => types.test(type))) then()
  })
