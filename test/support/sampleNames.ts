/** Ids and other names of the sample data, by the property that takes them: so that generated inputs reach far. */
const sampleId = (prefix: string, count: number): string => `${prefix}_SAMPLE${String(count).padStart(20, "0")}`

const search = (keywords: string): string =>
  `https://www.linkedin.com/sales/search/people?query=(keywords%3A${keywords}%2Cfilters%3AList((type%3ASENIORITY_LEVEL%2C` +
  "values%3AList((id%3A310%2Ctext%3ACXO%2CselectionType%3AINCLUDED)))))"

const leads = [sampleId("ld", 1), sampleId("ld", 2), sampleId("ld", 3), sampleId("ld", 5), "ld_nobody"]
const missions = ["spring-outreach", sampleId("mis", 1), "no-such-mission"]
const agents = ["ada-martin", sampleId("agt", 1), "nobody"]
const emails = [
  "grace@example.com",
  "GRACE@Example.com",
  "alan@example.com",
  "new.person@example.org",
  "not an address"
]
const profiles = [
  "https://www.linkedin.com/in/grace-hopper",
  "linkedin.com/in/alan-turing/",
  "https://fr.linkedin.com/in/nouvelle-personne-2nd?trk=x",
  "https://www.linkedin.com/company/acme"
]

const values: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  offer_id: ["sample-offer", "no-such-offer"],
  offerId: ["sample-offer", "no-such-offer"],
  lead_id: leads,
  prospect_id: leads,
  mission_id: missions,
  mission_handle: missions,
  missionHandle: missions,
  agent_handle: agents,
  agent_id: agents,
  agentHandle: agents,
  draft_id: [1, 2, 3].map((count) => sampleId("drf", count)),
  queue_id: [sampleId("que", 1), sampleId("que", 2), "que_none", sampleId("inv", 1)],
  invitation_id: [sampleId("inv", 1), "inv_none"],
  email_id: [sampleId("eml", 2), sampleId("eml", 3), "eml_none"],
  review_id: [sampleId("eml", 1), sampleId("eml", 2), "eml_none"],
  import_id: [sampleId("imp", 1), "imp_none"],
  account_id: [sampleId("acc", 1), "acc_none"],
  email: emails,
  linkedin_url: profiles,
  linkedin_id: ["ACwAAABCDEFGHIJKLMNOPQRSTUVWXYZ0123456", "urn:li:member:12345", "12345"],
  sales_nav_id: ["ACwAAABCDEFGHIJKLMNOPQRSTUVWXYZ0123456,NAME_SEARCH,abcd"],
  custom_id: ["crm-1", "crm-2", " CRM-1 "],
  url: [search("finance%2520sim-30"), search("sim-0"), "https://example.com/page"],
  timezone: ["Europe/Berlin", "UTC", "Mars/Phobos"],
  language: ["en", "fr-FR", "zh-Hant"],
  handle: ["ada-martin", "spring-outreach", "another-handle", "x"],
  cursor: ["bm90LWEtY3Vyc29y.abcdefghijklmnopqrstuv", "."],
  "*": [
    { email: "grace@example.com" },
    { name: "Nobody" },
    { linkedinUrl: profiles[0], name: "Grace" },
    { emial: "a@b.c" }
  ]
}

/** Values worth trying for a property of this name. */
export const sampleValues = (name: string): ReadonlyArray<unknown> | undefined => values[name]
