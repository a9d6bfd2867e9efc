/** The review queue: the public names of the room. */
export {
  isNewestFirst,
  type ReviewCounts,
  type ReviewEntry,
  type ReviewFilter,
  type ReviewKind,
  ReviewRepo,
  type ReviewTab,
  reviewTabs
} from "./ReviewRepo.ts"
export { type Looking, type Viewer, ViewersRepo } from "./ViewersRepo.ts"
