/** Runs of agents: the public names of the room. */
export {
  type Activity,
  type ActivityFilter,
  type Authorship,
  type Change,
  partsOfImports,
  RunsRepo,
  type Span,
  type TouchedBy
} from "./RunsRepo.ts"
