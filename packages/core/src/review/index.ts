/** The review queue: the public names of the room. */
export {
  isNewestFirst,
  type ReviewEntry,
  type ReviewFilter,
  type ReviewKind,
  type ReviewTab,
  reviewTabs
} from "./ReviewEntry.ts"
export { type ReviewCounts, ReviewRepo } from "./ReviewRepo.ts"
export { type Looking, type Viewer, ViewersRepo } from "./ViewersRepo.ts"
