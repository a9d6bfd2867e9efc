/** One draft, to read: who it is for, its texts, and what is wrong with them. Deciding takes a session on the review page. */
import type { Details, Finding } from "../service/shapes.ts"
import { openReviewPage, read, reviewPage, shown } from "./state.ts"

const nouns = { error: "Error", warning: "Warning", info: "Hint" }

const states: Readonly<Record<string, string>> = {
  PENDING_REVIEW: "Waits for review",
  READY_TO_SEND: "Approved, waits to be sent",
  DISPATCHED: "Sent",
  CANCELLED: "Cancelled"
}

const Findings = ({ findings }: { readonly findings: ReadonlyArray<Finding> }) => (
  <ul aria-label="Issues">
    {findings.map(({ code, message, severity, start }) => (
      <li key={`${code} ${start} ${message}`} class={severity}>
        <strong>{nouns[severity]}:</strong> {message}
      </li>
    ))}
  </ul>
)

const Lead = ({ lead }: { readonly lead: NonNullable<Details["lead"]> }) => (
  <header>
    <h1>{lead.name}</h1>
    <p>{[lead.job_title, lead.company_name].filter((part) => (part ?? "") !== "").join(" · ")}</p>
    {lead.headline !== null && <p class="quiet">{lead.headline}</p>}
  </header>
)

const Draft = ({ details: { content_hash, draft, findings, item, lead, mission } }: { readonly details: Details }) => (
  <main class="stack" data-hash={content_hash}>
    {lead !== null && <Lead lead={lead} />}
    <p role="status">
      {states[draft?.status ?? ""] ?? item.state}
      {mission !== null && <span class="quiet"> · {mission.name}</span>}
    </p>
    <ol class="stack">
      {draft?.variations.map(({ body_text, position }) => (
        <li key={position}>
          <blockquote class={`panel prose ${draft.selected_variation_index === position ? "chosen" : ""}`}>
            {body_text}
          </blockquote>
          <Findings findings={findings.filter(({ variation_index }) => variation_index === position)} />
        </li>
      ))}
    </ol>
    <footer class="choices">
      {reviewPage === "" ? (
        <p>To decide, open the review page (svc open) and choose this draft.</p>
      ) : (
        <button type="button" class="primary" onClick={() => openReviewPage(item.item_id)}>
          Decide on the review page
        </button>
      )}
      <button type="button" onClick={() => read()}>
        Refresh
      </button>
    </footer>
  </main>
)

/** The app. */
export const App = () => {
  const now = shown.value
  if (now.state === "loading") return <p role="status">Loading…</p>
  if (now.state === "read") return <Draft details={now.details} />
  return (
    <main class="stack">
      <p class="error" role="alert">
        {now.message}
      </p>
      <button type="button" onClick={() => read()}>
        Retry
      </button>
    </main>
  )
}
