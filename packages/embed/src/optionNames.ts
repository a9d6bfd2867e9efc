/** The names of options, and the refusal of those that are none: a program without types would not learn of them. */
import { InvalidInput, unknownName } from "@svc/core"
import { svcErrorOf } from "./svcErrorOf.ts"

/** Why options cannot be used, undefined if they can: they are no object, or have an unknown name. */
export const nameProblem = (what: string, given: unknown, names: ReadonlyArray<string>): InvalidInput | undefined => {
  const message = unknownName(what, given, names)
  return message === undefined ? undefined : new InvalidInput({ message })
}

/** Throws {@link SvcError} if there is a problem. */
export const orThrow = (problem: InvalidInput | undefined): void => {
  if (problem !== undefined) throw svcErrorOf(problem)
}
