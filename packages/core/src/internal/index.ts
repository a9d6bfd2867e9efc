/** What the other packages of this repository share with core beyond its public entry points. No release keeps it. */
export { agentName, contentOf } from "../agents/Agent.ts"
export { layerNone as emailGatewayLayerNone } from "../email/EmailGateway.ts"
export { type InboxNeeds, inboxWorkerLayer, readInboxes } from "../email/inbound/readInboxes.ts"
export { layer as mailReceiverLayer } from "../email/MailReceiver.ts"
export { mailApprovals, NoticeSender, noticesLayer } from "../email/notices/mailApprovals.ts"
export { dispatchEmails, emailWorkerLayer } from "../email/sending/emails.ts"
export { linkedInFingerprint, linkedInResultsPerPage, parseLinkedInSearchUrl } from "../imports/Audience.ts"
export { uploadAsInput } from "../imports/commands/ImportCsv.ts"
export { ListImportedLeads } from "../imports/commands/importedLeads.ts"
export { GetImport } from "../imports/commands.ts"
export { Upload } from "../imports/csv/CsvRows.ts"
export { csvLine, delimiters } from "../imports/csv/csvDialect.ts"
export { countsOf } from "../imports/Import.ts"
export { isRefused, noCounts, rowsSeen, shownState } from "../imports/ImportRun.ts"
export { uploadInterrupted } from "../imports/importFile.ts"
export { parseSalesNavUrl, resultsPerPage } from "../imports/salesnav/SalesNavSearch.ts"
export { ApprovalOutput, describe } from "../kernel/command/Catalog.ts"
export { Delegation } from "../kernel/command/Delegation.ts"
export { layer as dispatchLayer } from "../kernel/command/Dispatch.ts"
export { failureResult } from "../kernel/command/dispatch/present.ts"
export { etagOf, failureEnvelope, inputHash, namesEtag } from "../kernel/command/Envelope.ts"
export { clientHeader, clientOfHeader, PublicUrl } from "../kernel/command/Execution.ts"
export { lawfulBases, noPolicies } from "../kernel/command/Permission.ts"
export { hasScope } from "../kernel/command/Policy.ts"
export { RunHooks } from "../kernel/command/Session.ts"
export { codesOf, isFailure, logIfSlow } from "../kernel/failure/Failure.ts"
export { IsSnapshot, Tenant } from "../kernel/journal/Journal.ts"
export { layer as resourceReaderLayer } from "../kernel/resource/ResourceReader.ts"
export { decoder, standardInput } from "../kernel/schema/Decode.ts"
export { looseKeyOf, normalizeEmail } from "../kernel/schema/Email.ts"
export { canonicalJson, readSigned, writeSigned } from "../kernel/schema/Hash.ts"
export { checkJson, StoredJson } from "../kernel/schema/Json.ts"
export { publishAs, published } from "../kernel/schema/JsonSchema.ts"
export { layerSecretRandom, NextCursor, newestFirst } from "../kernel/schema/Page.ts"
export { boundProblem, formatPath, maxDepth } from "../kernel/schema/plainJson.ts"
export { camelCase, camelKeys, snakeCase } from "../kernel/schema/snakeCase.ts"
export { isoDateTime, nonEmptyLine } from "../kernel/schema/TextFields.ts"
export { visibleText } from "../kernel/schema/TextRules.ts"
export { countDatabaseFailure, countDatabaseWait, countRequest } from "../kernel/telemetry/instruments.ts"
export { isRecorded } from "../kernel/telemetry/tracing.ts"
export { nextFollowUp } from "../leads/followUp.ts"
export { compareText, memberIdOf, normalizeMemberId, tokenKindOf } from "../leads/identity/Identity.ts"
export { normalizeSlug, profileUrl } from "../leads/identity/LinkedInProfile.ts"
export { emptyContent, Lead, searchedFields } from "../leads/Lead.ts"
export { contactedStatuses, isPositive, repliedStatuses } from "../leads/LeadStatus.ts"
export { maxMessagesRead, oldestFirst } from "../leads/LeadsRepo.ts"
export { ActionKind, nextAction, openDraftAt } from "../leads/NextAction.ts"
export { compactLead } from "../leads/ProspectContext.ts"
export {
  activeSuppression,
  domainsOf,
  erasedReason,
  longestFirst,
  suppressionEntry
} from "../leads/suppression/Suppression.ts"
export { commandStatus } from "../missions/MissionStatus.ts"
export { layer as inboundReceiverLayer } from "../outreach/conversations/InboundReceiver.ts"
export { pollInboxes } from "../outreach/conversations/pollInboxes.ts"
export { decideHold, type OnFailover } from "../outreach/decideHold.ts"
export { writerOf } from "../outreach/Evidence.ts"
export { contentHashOf, isDeferred } from "../outreach/LinkedInDraft.ts"
export { dispatchRound, outreachWorkerLayer, settleUnknown } from "../outreach/OutreachWorker.ts"
export { freshPace } from "../outreach/pacing/Pacing.ts"
export { countedAs } from "../outreach/pacing/UsageLimits.ts"
export { callProvider, providerHttp } from "../outreach/provider/http/ProviderCall.ts"
export * from "../outreach/provider/http/ProviderText.ts"
export { refusalKinds, WebhookSecret } from "../outreach/provider/LinkedInAccount.ts"
export { hasSameFacts } from "../outreach/provider/linkAccount.ts"
export { defaultSendOptions, resumedAfter, secondsAfter } from "../outreach/SendOptions.ts"
export { actionOf, isFinal, isLive } from "../outreach/Transmission.ts"
export { periodOf, statusGroups, tally } from "../reports/statistics/MissionStatistics.ts"
export { reviewTabs } from "../review/ReviewRepo.ts"
export { deliverAll } from "../webhooks/delivery/deliveryRounds.ts"
export {
  isLocalName,
  isLoopbackAddress,
  isPublicAddress,
  isPublicHttps,
  WebhookTargets
} from "../webhooks/WebhookTarget.ts"
export { expiredRow, stateAt } from "../workspace/approvals/ApprovalRow.ts"
export { expireRequests, layer as expiryLayer } from "../workspace/approvals/settleRequest.ts"
export { headText, parseHead } from "../workspace/audit/AuditRecord.ts"
export { verifyAudit } from "../workspace/audit/verifyAudit.ts"
export { GrantRefused, layer as grantsLayer } from "../workspace/authorization/Grants.ts"
export { viewOf } from "../workspace/keys/KeyView.ts"
export { generateKey, parseKey } from "../workspace/organizations/ApiKey.ts"
export { layer as authenticationLayer } from "../workspace/organizations/Authentication.ts"
export { ensureExternal, issueHostKey } from "../workspace/organizations/hostOperations.ts"
export {
  createKey,
  ensureOrganization,
  issueKey,
  parseScopes,
  revokeKey,
  rotateKey
} from "../workspace/organizations/Provisioning.ts"
export { createSignInLink, layer as signInLayer } from "../workspace/sessions/SignIn.ts"
