/** The place Settings: its sections in the list, and the one that is open beside them. */
import type { ComponentChild } from "preact"
import { useEffect } from "preact/hooks"
import { Detail } from "../list/Detail.tsx"
import { ListDetail } from "../list/ListDetail.tsx"
import { listing } from "../place/Listing.ts"
import { Nothing } from "../screen/Nothing.tsx"
import { Browser } from "./Browser.tsx"
import { askExclude, Exclusions } from "./Exclusions.tsx"
import { askNewKey, Keys, Sessions } from "./Keys.tsx"
import { Mailboxes } from "./Mailboxes.tsx"
import { askNewField, OwnFields } from "./OwnFields.tsx"
import { Policies } from "./Policies.tsx"
import { Sending } from "./Sending.tsx"
import { forgetSecret, ShownOnce } from "./secrets.tsx"
import { askNewWebhook, Webhooks } from "./Webhooks.tsx"

/** Its id is its name in the URL; `main` is what its main button does. */
type Section = readonly [
  id: string,
  name: string,
  about: string,
  View: () => ComponentChild,
  main?: readonly [text: string, run: () => void]
]

const sections: ReadonlyArray<Section> = [
  ["keys", "People and keys", "Who and what may use this workspace.", Keys, ["New key…", askNewKey]],
  ["sessions", "Signed in", "Browsers and AI agents that are signed in.", Sessions],
  ["sending", "Accounts and hours", "What each agent sends with, and when.", Sending],
  ["mailboxes", "Mailboxes", "Where replies are read, limits, and domains.", Mailboxes],
  ["policies", "Policies", "What needs approval, and who gives it.", Policies],
  ["fields", "Own fields", "What you store about leads beyond the usual.", OwnFields, ["New field…", askNewField]],
  ["exclusions", "Exclusions", "People and domains that are never contacted.", Exclusions, ["Exclude…", askExclude]],
  ["webhooks", "Webhooks", "Events for your other systems.", Webhooks, ["New webhook…", askNewWebhook]],
  ["browser", "This browser", "Appearance, keys, and what is kept here.", Browser]
]

const list = listing<Section>(
  ([id]) => id,
  /^$/,
  () => Promise.resolve({ ok: true, data: { items: sections, next_cursor: null }, held: "" })
)

const Open = ({ section: [, name, about, View, main] }: { readonly section: Section }) => (
  <Detail title={name} about={about} acts={main && [{ text: main[0], key: "n", isPrimary: true, run: main[1] }]}>
    <ShownOnce />
    <View />
  </Detail>
)

const open = (id: string) => {
  const section = sections.find(([one]) => one === id)
  return section === undefined ? <Nothing text="There is no such section." /> : <Open section={section} />
}

/** The place. */
export const Settings = () => {
  useEffect(() => forgetSecret, [])
  const row = ([, name, preview]: Section) => ({ name, preview })
  return <ListDetail label="Settings" list={list} row={row} empty="" detail={open} />
}
