/** Imports and how far they are. */
import { dateAndTime } from "../queue/times.ts"
import type { ResultOf } from "../service/shapes.ts"

/** See above. */
export const Imports = ({ imports }: ResultOf<"import.list">) =>
  imports.length === 0 ? (
    <p class="quiet">No imports yet.</p>
  ) : (
    <div class="table-place">
      <table>
        <caption class="hidden">Imports</caption>
        <thead>
          <tr>
            <th scope="col">Import</th>
            <th scope="col" class="text-cell">
              State
            </th>
            <th scope="col">Rows</th>
            <th scope="col">Created</th>
            <th scope="col">Updated</th>
            <th scope="col">Invalid</th>
            <th scope="col">Started</th>
          </tr>
        </thead>
        <tbody>
          {imports.map(
            ({
              created_at,
              created_count,
              import_id,
              invalid_count,
              mission,
              name,
              progress,
              state,
              updated_count
            }) => (
              <tr key={import_id}>
                <th scope="row">
                  {name || mission.name} <span class="quiet">{mission.name}</span>
                </th>
                <td class="text-cell">{state}</td>
                <td>
                  {progress.seen}
                  {progress.limit !== null && ` of ${progress.limit}`}
                  {state === "running" && (
                    <progress
                      aria-label="Progress"
                      max={progress.limit ?? undefined}
                      value={progress.limit === null ? undefined : progress.seen}
                    />
                  )}
                </td>
                <td>{created_count}</td>
                <td>{updated_count}</td>
                <td>{invalid_count}</td>
                <td>{dateAndTime(created_at)}</td>
              </tr>
            )
          )}
        </tbody>
      </table>
    </div>
  )
