/** Variables of the environment that look like settings and are none. */
import { nearestName } from "@svc/core"
import { type Environment, fileVariable, variables } from "@svc/embed/composition"
import { clientSettings } from "./clientSettings.ts"

const known: ReadonlySet<string> = new Set([
  ...clientSettings.map(({ name }) => name),
  ...Object.values(variables).flatMap(({ isSecret, name }) => (isSecret ? [name, fileVariable(name)] : [name]))
])

/** The unknown variables `SVC_…`, each with the nearest setting. They may belong to another program. */
export const unknownVariables = (environment: Environment) =>
  Object.keys(environment)
    .filter((name) => name.startsWith("SVC_") && !known.has(name))
    .sort()
    .map((name) => ({ name: name.slice(0, 100), nearest: nearestName(name, [...known]) }))

/** How many letters a slip adds or leaves out at most; more is another name, such as SVC_TEST_DATABASE_URL. */
const slip = 2

/** Warnings of variables that are probably mistyped. */
export const mistypedVariables = (environment: Environment): ReadonlyArray<string> =>
  unknownVariables(environment).flatMap(({ name, nearest }) =>
    nearest !== undefined && Math.abs(nearest.length - name.length) <= slip
      ? [`${name} is not a setting. Did you mean ${nearest}?`]
      : []
  )
