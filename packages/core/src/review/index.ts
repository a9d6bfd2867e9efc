/** The review queue: the public names of the room. */
export {
  isNewestFirst,
  type Looking,
  type ReplyState,
  type ReviewCounts,
  type ReviewEntry,
  type ReviewFilter,
  type ReviewKind,
  ReviewRepo,
  type ReviewTab,
  replyStateOf,
  type Viewer
} from "./ReviewRepo.ts"
