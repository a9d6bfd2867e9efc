/** The keys of a place, for as long as it is shown. */
import { useLayoutEffect } from "preact/hooks"
import { placeKeys } from "../screen/state.ts"

/** Adds keys to those of every place: help and palette list them. `of` is what they act on, such as the id of what is open. */
export const usePlaceKeys = (keys: (typeof placeKeys)["value"], of: string): void =>
  useLayoutEffect(() => {
    placeKeys.value = [...placeKeys.peek(), ...keys]
    return () => {
      placeKeys.value = placeKeys.peek().filter((one) => !keys.includes(one))
    }
  }, [of])
