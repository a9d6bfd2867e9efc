/** The service in tests of a host program, and what stores and providers must hold. */
export type { ContractCase } from "./contracts/ContractCase.ts"
export { type EmailContract, type EmailSubject, emailContract } from "./contracts/emailContract.ts"
export { type ProviderContract, type ProviderSubject, providerContract } from "./contracts/providerContract.ts"
export { type StoreContract, storeContract } from "./contracts/storeContract.ts"
export type { OpenStore, StoreOptions, StoreSvc } from "./contracts/storeWorld.ts"
export type { ScriptedProvider, SendOutcome, Sent, SentEmail, SentOnLinkedIn } from "./ScriptedProvider.ts"
export { type Role, type TestClock, type TestOptions, type TestSvc, testSvc } from "./testSvc.ts"
