/** The order in which files of tests are started: those that take longest first, so that none of them ends alone. */
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** In the order of what they took when last measured; every other takes less than any of them. */
const dearest = [
  "packages/packages",
  "cli/discovery",
  "sending/crashCampaign",
  "browser/accessibility",
  "testing/stores",
  "browser/review",
  "examples",
  "generated/boundedWork",
  "unipile/faults",
  "postgres/importKills",
  "mcp/stdio",
  "generated/examples",
  "model/sending",
  "cli/server",
  "browser/signIn",
  "browser/serve",
  "cli/operator",
  "embed/recipes",
  "conformance/suite",
  "cli/operatorPostgres",
  "postgres/busyLeads",
  "postgres/deliveryKills",
  "contract/gate",
  "cli/completionShells"
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
