/** The order in which files of tests are started: those that take longest first, so that none of them ends alone. */
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** In the order of what they took when last measured; every other takes less than any of them. */
const dearest = [
  "packages/packages",
  "browser/accessibility",
  "browser/review",
  "cli/server",
  "sending/crashCampaign",
  "testing/stores",
  "cli/discovery",
  "unipile/faults",
  "generated/boundedWork",
  "mcp/stdio",
  "postgres/importKills",
  "postgres/deliveryKills",
  "postgres/busyLeads",
  "cli/operator",
  "browser/signIn",
  "postgres/contention",
  "browser/serve",
  "cli/start",
  "model/sending",
  "cli/move",
  "conformance/suite",
  "contract/gate",
  "cli/operatorPostgres",
  "telemetry/otlp",
  "embed/hostDatabase",
  "cli/completionShells",
  "embed/recipes",
  "generated/tenancy",
  "http/sharedLimits",
  "cli/oneJson",
  "examples",
  "postgres/rowsRead",
  "generated/examples",
  "sending/reviewRaces"
]

const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = dearest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
  return rank === -1 ? dearest.length : rank
}

export class DearestFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer["sort"]>[0]) {
    return (await super.sort(files)).toSorted((left, right) => rankOf(left) - rankOf(right))
  }
}
