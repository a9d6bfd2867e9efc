/** What belongs to this browser alone. */
import { useState } from "preact/hooks"
import { FieldView } from "../form/Field.tsx"
import { dropKept, keptIds } from "../form/kept.ts"
import { check, choice } from "../form/values.ts"
import { perform, pressed } from "../keys/actions.ts"
import { areLettersOn, switchLetters } from "../keys/switch.ts"
import { Card } from "../list/Detail.tsx"
import { EntryList } from "../list/Entries.tsx"
import { say } from "../screen/state.ts"
import { chooseTheme, chosen } from "../screen/theme.ts"

const theme = choice("theme", "Appearance", { "": "Like the system", light: "Light", dark: "Dark" })

const letters = check("letters", "Single letters are keys", {
  hint: "Switch them off if you dictate, or press keys by accident. Arrows, Esc and the buttons still work."
})

/** The section. */
export const Browser = () => {
  const [ids, setIds] = useState(keptIds)
  const drop = (id: string): void => {
    dropKept(id)
    setIds(keptIds())
    say("Deleted from this browser.")
  }
  return (
    <>
      <Card title="Appearance and keys">
        <FieldView
          id="theme"
          field={theme}
          value={chosen.value ?? ""}
          onChange={(_, value) => chooseTheme(String(value))}
        />
        <FieldView id="letters" field={letters} value={areLettersOn.value} onChange={switchLetters} />
      </Card>
      <Card title="Typed and not saved">
        <p class="quiet">{ids.length === 0 ? "Nothing." : "Kept in this browser until you save or delete it."}</p>
        <EntryList
          label="Typed and not saved"
          entries={ids.map((id) => ({ name: id, actions: [["Delete", () => drop(id)]] }))}
        />
      </Card>
      <Card title="Session">
        <button type="button" onClick={() => perform("signOut", pressed())}>
          Sign out here
        </button>
      </Card>
    </>
  )
}
