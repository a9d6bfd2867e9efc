/** A test that any runner takes: `for (const { name, run } of cases) test(name, run)`. */
export interface ContractCase {
  /** What must hold. */
  readonly name: string
  /** Rejects with an AssertionError if it does not. */
  readonly run: () => Promise<void>
}
