/** Whether sending domains are set up: SPF, DKIM and DMARC. */
export { type DomainCheckOptions, domainCheckLayer } from "./domainCheck.ts"
