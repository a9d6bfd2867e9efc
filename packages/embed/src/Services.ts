import type { Dispatch, Ids, ResourceReader } from "@svc/core"
import type { LinkedInGateway } from "@svc/core/outreach"
import type { Authentication } from "@svc/core/workspace"
import type { HttpApp, HttpHandlers, Readiness } from "@svc/http"
import type { Memory } from "@svc/memory"
import type { BackgroundWork } from "./BackgroundWork.ts"

/** Repositories with transactions, ids and readiness. */
export type Stores = Memory.Repositories | Ids | Readiness

/** Services for the surfaces and hosts. */
export type Services =
  | Stores
  | LinkedInGateway
  | Dispatch
  | ResourceReader
  | Authentication
  | HttpApp
  | HttpHandlers
  | BackgroundWork
