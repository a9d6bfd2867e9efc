/**
 * Writes the follow-ups that are due, as drafts for a person to review. `write` gets the lead with its conversation and what the
 * step is for, and returns the text: ask your model there.
 */
export const writeFollowUps = async (svc, write) => {
  const { actions } = await svc.missions.nextActions({ limit: 50 })
  const due = actions.filter(({ kind }) => kind === "follow_up_due")
  for (const { follow_up, lead_id } of due) {
    const context = await svc.leads.get({ lead_id })
    const text = await write(context, follow_up)
    const mission_id = follow_up.mission_id
    await (follow_up.channel === "EMAIL"
      ? svc.email.send({ lead_id, mission_id, ...text })
      : svc.linkedin.draft.create({ lead_id, mission_id, variations: [{ body_text: text.body_text }] }))
  }
  return due.length
}
