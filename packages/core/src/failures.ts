/** Every class of failure of the product. A code without a class does not compile here. */
import * as agents from "./agents/failures.ts"
import type { FailureClass, FailureDetails } from "./kernel/failure/Failure.ts"
import * as kernel from "./kernel/failure/failures.ts"
import type { FailureCode } from "./kernel/failure/failureTable.ts"
import * as leads from "./leads/failures.ts"
import * as missions from "./missions/failures.ts"
import * as offers from "./offers/failures.ts"
import * as outreach from "./outreach/failures.ts"

// Rooms export lists of classes as well, which hold no others.
const classes = { ...kernel, ...offers, ...agents, ...missions, ...leads, ...outreach }

type Classes = Extract<(typeof classes)[keyof typeof classes], FailureClass>

/** A failure of the product. */
export type AnyFailure = InstanceType<Classes>

/** The classes by the codes of their failures. */
export const failureClasses: { readonly [Code in FailureCode]: Extract<Classes, { readonly code: Code }> } =
  Object.assign(
    {},
    ...Object.values(classes)
      .flat()
      .map((one) => ({ [one.code]: one }))
  )

/** The class of a code: `FailureOf<"LEAD_SUPPRESSED">` is `LeadSuppressed`. */
export type FailureOf<Code extends FailureCode> = Extract<AnyFailure, { readonly code: Code }>

/** A failure of a code when its message is known and its fields are not, such as one that was recorded. */
export const failureOf = <Code extends FailureCode>(code: Code, details: FailureDetails): FailureOf<Code> =>
  Reflect.construct(failureClasses[code], [details])
