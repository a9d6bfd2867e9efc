/** Plans of PostgreSQL as `explain (analyze, buffers, format json)` tells them. */

/** A node of a plan; `Actual Rows` is the mean of all loops. */
export interface PlanNode {
  readonly "Node Type": string
  readonly "Subplan Name"?: string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly "Shared Hit Blocks"?: number
  readonly "Shared Read Blocks"?: number
  readonly Plans?: ReadonlyArray<PlanNode>
}

/** A node and all below it. */
export const nodesOf = (node: PlanNode): ReadonlyArray<PlanNode> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** Pages of tables and indexes that were looked at, those below included. */
export const pagesOf = (node: PlanNode): number => (node["Shared Hit Blocks"] ?? 0) + (node["Shared Read Blocks"] ?? 0)

/** As {@link nodesOf}, without what is computed once beside the rows, such as a count. */
export const pageNodesOf = (node: PlanNode): ReadonlyArray<PlanNode> =>
  node["Subplan Name"]?.startsWith("InitPlan") ? [] : [node, ...(node.Plans ?? []).flatMap(pageNodesOf)]
