/**
 * Every migration of the schema, in the order in which they run. A new one goes to the end, with the next id; one that
 * was released never changes, since databases remember its checksum.
 *
 * SQL stays at the PostgreSQL 15 level and needs no extension: it runs on PostgreSQL and on PGlite. Source: contract 4.
 */
import type { Migration } from "../Migrator.ts"
import { workspace } from "./0001_workspace.ts"
import { offers } from "./0002_offers.ts"
import { agents } from "./0003_agents.ts"
import { missions } from "./0004_missions.ts"
import { leads } from "./0005_leads.ts"
import { linkedin } from "./0006_linkedin.ts"
import { imports } from "./0007_imports.ts"
import { leadPrivacy } from "./0008_lead_privacy.ts"
import { events } from "./0009_events.ts"
import { importFiles } from "./0010_import_files.ts"
import { missionReports } from "./0011_mission_reports.ts"
import { sending } from "./0012_sending.ts"
import { webhookDelivery } from "./0013_webhook_delivery.ts"
import { leadReads } from "./0014_lead_reads.ts"
import { email } from "./0015_email.ts"
import { inbound } from "./0016_inbound.ts"
import { statistics } from "./0017_statistics.ts"
import { invitations } from "./0018_invitations.ts"
import { nextActions } from "./0020_next_actions.ts"
import { deliveryEnd } from "./0022_delivery_end.ts"
import { leadPlan } from "./0024_lead_plan.ts"
import { leadLookups } from "./0025_lead_lookups.ts"

/** The schema's history. */
export const migrations: ReadonlyArray<Migration> = [
  workspace,
  offers,
  agents,
  missions,
  leads,
  linkedin,
  imports,
  leadPrivacy,
  events,
  importFiles,
  missionReports,
  sending,
  webhookDelivery,
  leadReads,
  email,
  inbound,
  statistics,
  invitations,
  nextActions,
  deliveryEnd,
  leadPlan,
  leadLookups
]
