-- Where the database lives: the cluster, its timeline (a new one after recovery from a backup) and the database. What a
-- server does not tell is left out.
create function svc_fingerprint() returns text
language plpgsql stable
set search_path from current
as $$
declare
  cluster text := '';
  timeline text := '';
begin
  begin
    select system_identifier::text into cluster from pg_control_system();
  exception when insufficient_privilege or undefined_function or feature_not_supported then null;
  end;
  begin
    timeline := left(pg_walfile_name(pg_current_wal_lsn()), 8);
  exception when insufficient_privilege or undefined_function or feature_not_supported
    or object_not_in_prerequisite_state then null;
  end;
  return concat_ws(':', cluster, timeline, (select oid from pg_database where datname = current_database()));
end $$;

-- Why nothing may be sent from this database; null when it may. Asked in the statement that sends. In PL/pgSQL, which keeps its
-- plan, as those of PL/pgSQL are.
create function svc_sending_hold() returns text
language plpgsql stable
set search_path from current
as $$
begin
  return (
    select coalesce(d.hold_reason, case
      when d.xmin::text <> d.written_by or d.fingerprint <> svc_fingerprint() then 'database_restored' end)
    from deployment d);
end $$;

-- Stores new drafts. Returns, of each whose lead has an open draft with the agent already, that one.
--
-- Planned once for each connection: planning takes longer than running it.
create function svc_insert_drafts(p_organization text, p_drafts jsonb)
returns table (id text, lead_id text, agent_id text)
language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  return query
    with stored as (
      insert into linkedin_drafts as d (organization_id, id, lead_id, agent_id, mission_id, status, variations, steps, evidence, follow_up,
        created_by_user_id, created_by_actor_kind, created_at, updated_at)
      select p_organization, r.* from jsonb_to_recordset(p_drafts) as r (
        id text, lead_id text, agent_id text, mission_id text, status text, variations jsonb, steps jsonb, evidence jsonb, follow_up jsonb,
        created_by_user_id text, created_by_actor_kind text, created_at timestamptz, updated_at timestamptz)
      on conflict (organization_id, lead_id, agent_id) where status in ('PENDING_REVIEW', 'READY_TO_SEND')
      do update set lead_id = d.lead_id where d.organization_id = excluded.organization_id
      returning d.id, d.lead_id, d.agent_id, d.xmax <> 0 as is_old
    )
    select s.id, s.lead_id, s.agent_id from stored s where s.is_old;
  perform svc_keep_actions(p_organization, array(select r.lead_id from jsonb_to_recordset(p_drafts) as r (lead_id text)));
end $$;

-- Leases due transmissions of a kind of an organization. Its senders take turns, the one served longest ago first. Concurrent calls
-- skip locked rows.
--
-- Planned once for each connection and always with indexes: planning takes longer than running, and a plan made for a small
-- table must work for a large one.
--
-- Stored holds are left out here, as they bound what a round reads; whether a row may leave is decided at its claim.
--
-- Due rows of archived missions are included: the gate returns them to review.
create function svc_take(p_organization text, p_kind text, p_now timestamptz, p_paced boolean, p_limit integer,
  p_seconds integer, p_clock timestamptz)
returns table (organization_id text, id text, lead_id text, draft_id text, state text, fence integer)
language plpgsql volatile
set search_path from current
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  served timestamptz := clock_timestamp();
begin
  if svc_sending_hold() is not null then return; end if;
  return query
  with found as materialized (
    select r.id, p.served_at, p.sender_id, row_number() over (
      partition by p.sender_id order by r.not_before, r.id collate "C") as place
    from senders p cross join lateral (
      select q.id, q.not_before from transmissions q
      left join linkedin_drafts d on d.organization_id = p_organization and d.id = q.draft_id
      left join missions m on m.organization_id = p_organization and m.id = coalesce(q.mission_id, d.mission_id)
      where q.organization_id = p_organization and q.sender_id = p.sender_id and q.kind = p_kind
        and q.state in ('queued', 'waiting_relation') and q.not_before <= p_now
        and (q.lease_until is null or q.lease_until <= p_clock)
        and (q.bypass or m.id is null or m.status in ('ACTIVE', 'ARCHIVED'))
        and case
          when p_kind = 'message' then d.queue_item_id = q.id and d.status = 'READY_TO_SEND' and (q.state = 'waiting_relation'
            or ((p.message_stopped_until is null or p.message_stopped_until <= p_now or (q.details ->> 'invite')::boolean)
              and (q.bypass or not p_paced or greatest(p.message_look_at, p.next_at, '-infinity') <= p_now)))
          when p_kind = 'invitation' then (p.invitation_stopped_until is null or p.invitation_stopped_until <= p_now)
            and (q.bypass or not p_paced or greatest(p.invitation_look_at, p.next_at, '-infinity') <= p_now)
          else q.bypass or not p_paced or coalesce(p.message_look_at, '-infinity') <= p_now end
      order by q.not_before, q.id collate "C" limit p_limit for update of q skip locked
    ) r
    where p.organization_id = p_organization
  ), turns as materialized (
    select p.sender_id from senders p
    where p.organization_id = p_organization and p.sender_id in (select f.sender_id from found f) for update skip locked
  ), chosen as materialized (
    select f.id, f.sender_id from found f join turns t on t.sender_id = f.sender_id
    order by f.place, f.served_at nulls first, f.sender_id limit p_limit
  ), done as (
    update senders p set served_at = served
    where p.organization_id = p_organization and p.sender_id in (select c.sender_id from chosen c)
  )
  update transmissions q set lease_until = p_clock + make_interval(secs => p_seconds), fence = q.fence + 1
  from chosen c where q.organization_id = p_organization and q.id = c.id
  returning q.organization_id, q.id, q.lead_id, q.draft_id, q.state, q.fence;
end $$;
