/** Chance that a seed repeats. */

/** Numbers from 0 to `below - 1`, the same for a seed. */
export const randomOf = (seed: number) => {
  let state = (seed * 2_654_435_761 + 12_345) % 4_294_967_296
  const next = (below: number): number => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return Math.floor((state / 4_294_967_296) * below)
  }
  return { next, pick: <A>(list: ReadonlyArray<A>): A => list[next(list.length)] as A }
}

/** Where choices come from. */
export type Random = ReturnType<typeof randomOf>
