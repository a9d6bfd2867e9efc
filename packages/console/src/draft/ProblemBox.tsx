/** What is wrong with an item that could not be sent, and the choices that settle it. */
import { decideOn } from "../outbox/deciding.ts"
import type { Details } from "../service/shapes.ts"

/** See above. */
export const ProblemBox = ({ details: { item, problem } }: { readonly details: Details }) =>
  problem === null ? null : (
    <section class="problem-box" aria-label="Problem">
      <p>
        <strong>{problem.what}</strong>
      </p>
      <p>{problem.guidance}</p>
      <div class="choices">
        {problem.choices.map(({ command, input, label }) => (
          <button
            type="button"
            key={label}
            onClick={() =>
              decideOn(item, {
                call: { command, input },
                reverse: null,
                label: `${label}: ${item.lead?.name ?? "unknown"}`,
                leaves: true
              })
            }
          >
            {label}
          </button>
        ))}
      </div>
    </section>
  )
