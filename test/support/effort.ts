/**
 * How much generated tests try: `SVC_TEST_EFFORT` times as much as in campaigns, more for a search at night or where something
 * is suspected; half in `npm test`, less in the fast tests. What is tried first is the same in every run.
 */
const factor = Number(process.env.SVC_TEST_EFFORT ?? 1)

/** Whether more is tried than usual. */
export const isThorough = factor > 1

/** How many inputs to try. */
export const effort = (usual: number): number => Math.ceil(usual * factor)

/** Which of the cases to try: every one, or with less effort every few. */
export const some = <A>(cases: ReadonlyArray<A>): ReadonlyArray<A> =>
  cases.filter((_, index) => factor >= 1 || Math.floor((index + 1) * factor) > Math.floor(index * factor))
