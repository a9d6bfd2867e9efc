/** The service in tests of a host program. */
export type { ScriptedProvider, SendOutcome, Sent, SentEmail, SentOnLinkedIn } from "./ScriptedProvider.ts"
export { type Role, type TestClock, type TestOptions, type TestSvc, testSvc } from "./testSvc.ts"
