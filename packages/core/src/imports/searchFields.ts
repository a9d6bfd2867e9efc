/** What the search commands share: fields, effects, failures and notes. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { NotFound, WrongState } from "../kernel/failure/failures.ts"
import { body, nonEmptyLine } from "../kernel/schema/TextFields.ts"
import { thousands } from "../kernel/schema/TextRules.ts"
import { MissionArchived } from "../missions/failures.ts"
import {
  AccountDisconnected,
  GatewayError,
  GatewayRejected,
  GatewayUnconfigured,
  NoLinkedinAccount,
  NotAPeopleSearch,
  UsageLimit
} from "../outreach/failures.ts"
import { missionFields } from "./targetMission.ts"

const optional = Schema.optionalKey

const whole = (minimum: number, maximum: number, otherwise: number, description: string) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))
    .annotate({ description })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(otherwise)))

/** The `limit` field; `maximum` is what the search can show. */
export const peopleLimit = (maximum: number) =>
  whole(1, maximum, 100, `Maximum number of people to read, 1 to ${thousands(maximum)}; default 100`)

/** Target mission, account and waiting time. */
export const searchFields = {
  ...missionFields,
  name: optional(nonEmptyLine(200, "Name of the import. Default derived from the search and the date")),
  context: optional(body(2_000, "Your note about the import")),
  account_id: optional(nonEmptyLine(64, "LinkedIn account to search with. Default that of the mission's agent")),
  refresh: Schema.Boolean.annotate({
    description: "Continue an earlier import of this search. By default it is returned unchanged"
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(false))),
  wait_seconds: whole(0, 25, 20, "Seconds to wait for the import to finish. 0 to 25; default 20")
}

/** Category, effects and failures. */
export const searchImport = {
  category: "imports",
  risk: "approval",
  scope: "imports:run",
  effects: { does: ["reads", "writes"], channels: ["linkedin"] },
  outward: true,
  failures: [
    AccountDisconnected,
    GatewayError,
    GatewayRejected,
    GatewayUnconfigured,
    MissionArchived,
    NoLinkedinAccount,
    NotAPeopleSearch,
    NotFound,
    UsageLimit,
    WrongState
  ],
  riskNotes: [
    "Reads LinkedIn with a linked account, which counts against the limits of that account.",
    "Creates and updates leads; contacts nobody."
  ]
} as const

/** Output notes. */
export const searchNotes = [
  "created + updated + skipped + invalid are the people read; updated_ids are the leads that changed.",
  "Known leads that were added to the mission are among the updated and the skipped; the warning enrolled counts them.",
  "already_exists means that the mission already had an import of this search; message says when, or that it is " +
    "running, or why it stopped."
]
