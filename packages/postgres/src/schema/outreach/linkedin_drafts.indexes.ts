/** Open drafts, counts, lists, and approved drafts that are not queued yet. */
export const linkedinDraftsIndexes = `
create unique index linkedin_drafts_open on linkedin_drafts (organization_id, lead_id, agent_id)
  where status in ('PENDING_REVIEW', 'READY_TO_SEND');
create index linkedin_drafts_states on linkedin_drafts (organization_id, status);
create index linkedin_drafts_newest on linkedin_drafts (organization_id, created_at, id collate "C");
create index linkedin_drafts_of_lead on linkedin_drafts (organization_id, lead_id, created_at desc);
create index linkedin_drafts_of_mission on linkedin_drafts (organization_id, mission_id)
  where status in ('PENDING_REVIEW', 'READY_TO_SEND');
create index linkedin_drafts_days on linkedin_drafts (organization_id, mission_id, status, created_day)
  where mission_id is not null and created_day is not null;
create index linkedin_drafts_of_agent on linkedin_drafts (organization_id, agent_id)
  where status in ('PENDING_REVIEW', 'READY_TO_SEND');
create index linkedin_drafts_of_message on linkedin_drafts (organization_id, message_id)
  where message_id is not null;
create index linkedin_drafts_pending on linkedin_drafts (organization_id, created_at, id collate "C")
  where status = 'PENDING_REVIEW';
create index linkedin_drafts_approved on linkedin_drafts (organization_id, id)
  where status = 'READY_TO_SEND';
create index linkedin_drafts_rewriting on linkedin_drafts (organization_id, lead_id)
  where status = 'PENDING_REVIEW' and rewrite is not null;
create index linkedin_drafts_sent on linkedin_drafts (organization_id, dispatched_at, id collate "C")
  where status = 'DISPATCHED';
create index linkedin_drafts_tried on linkedin_drafts (organization_id, updated_at, id collate "C")
  where status = 'PENDING_REVIEW' and queue_item_id is not null;
create index linkedin_drafts_approved_due on linkedin_drafts (approved_at)
  where status = 'READY_TO_SEND' and queue_item_id is null;
`
