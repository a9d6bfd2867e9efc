/** A test that any runner takes: `for (const { name, run } of cases) test(name, run)`. */
export interface ContractCase {
  /** What must hold. */
  readonly name: string
  /** Rejects with an AssertionError if it does not. */
  readonly run: () => Promise<void>
}

/** Cases by their names, each of which runs in a world of its own. */
export const casesOf = <World>(
  tests: Readonly<Record<string, (world: World) => Promise<void>>>,
  inWorld: (test: (world: World) => Promise<void>) => Promise<void>
): ReadonlyArray<ContractCase> => Object.entries(tests).map(([name, test]) => ({ name, run: () => inWorld(test) }))
