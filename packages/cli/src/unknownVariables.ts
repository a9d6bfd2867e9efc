/** Unknown `SVC_` variables: mostly typos. */
import { nearestName } from "@svc/core"
import { type Environment, fileVariable, variables } from "@svc/embed/composition"

/** Variables of client commands. */
export const clientVariables = [
  "SVC_BASE_URL",
  "SVC_API_KEY",
  "SVC_API_KEY_FILE",
  "SVC_PROFILE",
  "SVC_PAGER",
  "SVC_CONFIG"
] as const

const known: ReadonlySet<string> = new Set([
  ...clientVariables,
  ...Object.values(variables).flatMap(({ isSecret, name }) => (isSecret ? [name, fileVariable(name)] : [name]))
])

/** Each unknown `SVC_` variable, with the most similar setting. */
export const unknownVariables = (environment: Environment): ReadonlyArray<string> =>
  Object.keys(environment)
    .filter((name) => name.startsWith("SVC_") && !known.has(name))
    .sort()
    .map((name) => {
      const nearest = nearestName(name, [...known])
      return nearest === undefined ? name.slice(0, 100) : `${name.slice(0, 100)} (did you mean ${nearest}?)`
    })
