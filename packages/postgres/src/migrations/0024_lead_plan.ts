/**
 * Reading a lead whole is planned once for each connection: its statement looks up a dozen things by their keys, whoever
 * is asked for, and planning it takes four times as long as running it.
 */
export const leadPlan = {
  id: 24,
  name: "lead-plan",
  sql: `
alter function svc_lead_documents(text, text[]) set plan_cache_mode = force_generic_plan;
`
}
