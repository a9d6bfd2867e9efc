/** Variables of an environment that look like settings and are none: mostly a slip of the pen. Source: contract 3. */
import { nearestName } from "@svc/core/Decode"
import { type Environment, variables } from "@svc/embed/Settings"
import { fileVariable } from "@svc/embed/VariableText"

/** Settings of the client: they have no default, and the key is a secret. */
export const clientVariables = ["SVC_BASE_URL", "SVC_API_KEY", "SVC_API_KEY_FILE", "SVC_PROFILE", "SVC_PAGER"] as const

const known: ReadonlySet<string> = new Set([
  ...clientVariables,
  ...Object.values(variables).flatMap(({ isSecret, name }) => (isSecret ? [name, fileVariable(name)] : [name]))
])

/** Each unknown name that begins with `SVC_`, with the setting that was probably meant. Values are not looked at. */
export const unknownVariables = (environment: Environment): ReadonlyArray<string> =>
  Object.keys(environment)
    .filter((name) => name.startsWith("SVC_") && !known.has(name))
    .sort()
    .map((name) => {
      const meant = nearestName(name, [...known])
      return meant === undefined ? name.slice(0, 100) : `${name.slice(0, 100)} (did you mean ${meant}?)`
    })
