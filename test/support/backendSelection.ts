/** Which backends the contract suites run on. */

/** Every backend there is. */
export const backendNames = ["memory", "pglite", "postgres"] as const

/** The name of a backend. */
export type BackendName = (typeof backendNames)[number]

/** The backends of `SVC_TEST_BACKENDS` (a comma-separated list; all of them when not set). Throws on an unknown name. */
export const selectedBackends = (): ReadonlySet<BackendName> => {
  const names = (process.env.SVC_TEST_BACKENDS ?? backendNames.join(",")).split(",").map((name) => name.trim())
  return new Set(
    names.map((name) => {
      const known = backendNames.find((backend) => backend === name)
      if (known === undefined) {
        throw new Error(`SVC_TEST_BACKENDS has the unknown name "${name}"; known are ${backendNames.join(", ")}.`)
      }
      return known
    })
  )
}
