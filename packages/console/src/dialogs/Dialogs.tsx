/** The dialog that is open. */
import type { Dialog } from "../screen/state.ts"
import { Batch } from "./Batch.tsx"
import { Conflict } from "./Conflict.tsx"
import { FilterForm } from "./FilterForm.tsx"
import { Help } from "./Help.tsx"
import { Palette } from "./Palette.tsx"
import { Reason } from "./Reason.tsx"
import { SendNow } from "./SendNow.tsx"
import { Snooze } from "./Snooze.tsx"

/** See above. */
export const Dialogs = ({ dialog }: { readonly dialog: Dialog }) => {
  switch (dialog.kind) {
    case "reject":
    case "rewrite":
      return <Reason kind={dialog.kind} item={dialog.item} />
    case "snooze":
      return <Snooze item={dialog.item} />
    case "send":
      return <SendNow details={dialog.details} />
    case "batch":
      return <Batch />
    case "conflict":
      return <Conflict before={dialog.before} variation={dialog.variation} mine={dialog.mine} />
    case "palette":
      return <Palette />
    case "help":
      return <Help />
    case "filters":
      return <FilterForm />
  }
}
