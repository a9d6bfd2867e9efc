/** Imports, newest first, with their progress. */
import { dateAndTime } from "../queue/times.ts"
import { Meter } from "./AccountsView.tsx"
import { type Import, isUnderway, outcomes, rowsRead, stateName } from "./Imports.ts"
import { canShowMore, showMore } from "./reading.ts"

const tones: Partial<Record<Import["state"], string>> = { failed: "error", interrupted: "warning", paused: "warning" }

const Row = ({ one }: { readonly one: Import }) => (
  <li class="import stack small">
    <div class="import-name stack">
      <strong>{one.name}</strong>
      <span class="quiet">
        {one.mission.name} · <time dateTime={one.created_at}>{dateAndTime(one.created_at)}</time>
      </span>
    </div>
    <div class="import-progress stack">
      <span>
        <span class={`sign ${tones[one.state] ?? ""}`}>{stateName(one.state)}</span> {outcomes(one)}
      </span>
      {isUnderway(one) && <span class="quiet">{rowsRead(one)}</span>}
      {isUnderway(one) && one.progress.limit !== null && <Meter used={one.progress.seen} limit={one.progress.limit} />}
      {one.reason !== null && <span class="quiet">{one.reason}</span>}
    </div>
  </li>
)

/** The list. */
export const ImportsView = ({ imports }: { readonly imports: ReadonlyArray<Import> }) =>
  imports.length === 0 ? (
    <p class="part-empty quiet">No imports yet.</p>
  ) : (
    <>
      <ul class="panel" aria-label="Imports">
        {imports.map((one) => (
          <Row key={one.import_id} one={one} />
        ))}
      </ul>
      {canShowMore() && (
        <button type="button" onClick={showMore}>
          Show more
        </button>
      )}
    </>
  )
