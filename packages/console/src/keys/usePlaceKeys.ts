/** The keys of a place, for as long as it is shown. */
import { signal } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import type { Entry } from "./keyMap.ts"

const shown = signal<ReadonlyArray<{ readonly current: ReadonlyArray<Entry> }>>([])

/** The keys of the place that is shown, beside those of every place. */
export const keysHere = (): ReadonlyArray<Entry> => shown.value.flatMap(({ current }) => current)

/** Adds keys to those of every place: help and palette list them. A key does what it is for in what was drawn last. */
export const usePlaceKeys = (keys: ReadonlyArray<Entry>): void => {
  const latest = useRef(keys)
  latest.current = keys
  useLayoutEffect(() => {
    shown.value = [...shown.peek(), latest]
    return () => {
      shown.value = shown.peek().filter((one) => one !== latest)
    }
  }, [])
}
