/** The order in which files of tests are started: those that take longest first, so that none of them ends alone. */
import { BaseSequencer, type TestSpecification } from "vitest/node"

/** In the order of what they took when last measured; every other takes less than any of them. */
const dearest = [
  "packages/packages",
  "model/sending",
  "examples",
  "mcp/stdio",
  "cli/discovery",
  "browser/review",
  "embed/recipes",
  "generated/boundedWork",
  "postgres/rowsRead",
  "generated/inputs",
  "postgres/deliveryKills",
  "unipile/faults",
  "postgres/contention",
  "cli/operator",
  "sending/reviewRaces",
  "cli/server",
  "cli/move",
  "sending/crashCampaign"
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
