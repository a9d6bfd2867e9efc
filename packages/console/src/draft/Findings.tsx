/** What is wrong with the text, above it. */
import { Icon } from "../screen/Icon.tsx"
import type { Finding } from "../service/shapes.ts"

const nouns = { error: "Error", warning: "Warning", info: "Hint" }

/** See above. */
export const Findings = ({ findings, text }: { readonly findings: ReadonlyArray<Finding>; readonly text: string }) =>
  findings.length === 0 ? null : (
    <ul class="findings" aria-label="Findings">
      {findings.map(({ code, end, hint, message, severity, start }) => (
        <li key={`${code} ${start} ${message}`} class={`finding ${severity}`}>
          <Icon name="warning" />
          <span>
            <strong>{nouns[severity]}:</strong> {message}
            {start !== null && end !== null && <q>{text.slice(start, end)}</q>} <span class="quiet">{hint}</span>
          </span>
        </li>
      ))}
    </ul>
  )
