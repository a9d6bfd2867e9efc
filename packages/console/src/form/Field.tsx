/** The fields of forms and filters. */
import { Choice } from "./Choice.tsx"
import { type Field, linesOf } from "./values.ts"

interface FieldProps {
  readonly id: string
  readonly field: Field
  readonly value: string | boolean
  readonly onChange: (name: string, value: string | boolean) => void
}

const Input = ({ field, id, onChange, value }: FieldProps) => {
  const { autofocus, hint, kind = "text", max, maxLength, min, name, options = [], required, rows = 4, step } = field
  const shared = {
    id,
    name,
    required,
    autofocus,
    value: String(value),
    "aria-describedby": hint === undefined ? undefined : `${id} hint`
  }
  if (kind === "choice") return <Choice {...shared} options={options} onChange={(chosen) => onChange(name, chosen)} />
  const text = {
    ...shared,
    dir: "auto",
    maxLength,
    onInput: ({ currentTarget }: { readonly currentTarget: { readonly value: string } }) =>
      onChange(name, currentTarget.value)
  } as const
  return kind === "area" || kind === "list" ? (
    <textarea {...text} rows={rows} />
  ) : (
    <input {...text} {...{ min, max, step }} type={kind as "text"} autocomplete="off" />
  )
}

interface CheckProps {
  readonly text: string
  readonly isChecked: boolean
  readonly onChange: (isChecked: boolean) => void
}

const Check = ({ isChecked, onChange, text }: CheckProps) => (
  <label class="check">
    <input type="checkbox" checked={isChecked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />{" "}
    {text}
  </label>
)

/** A field with its label and its hint. */
export const FieldView = (props: FieldProps) => {
  const { field, id, onChange, value } = props
  const hint = field.hint !== undefined && (
    <p id={`${id} hint`} class="hint quiet tiny" dir="auto">
      {field.hint}
    </p>
  )
  if (field.kind === "several") {
    const chosen = linesOf(value)
    const { groups = [] } = field
    const change = (option: string, isChosen: boolean): void => {
      const values = groups.flatMap(([, options]) => options.map(([one]) => one))
      const next = values.filter((one) => (one === option ? isChosen : chosen.includes(one)))
      onChange(field.name, next.join("\n"))
    }
    return (
      <fieldset class="several">
        <legend>{field.label}</legend>
        {hint}
        {groups.map(([name, options]) => (
          <fieldset key={name} class="choices">
            <legend class="quiet small">{name}</legend>
            {options.map(([option, text]) => (
              <Check
                key={option}
                text={text}
                isChecked={chosen.includes(option)}
                onChange={(isChosen) => change(option, isChosen)}
              />
            ))}
          </fieldset>
        ))}
      </fieldset>
    )
  }
  if (field.kind === "check") {
    return (
      <div class="field">
        <Check text={field.label} isChecked={value === true} onChange={(is) => onChange(field.name, is)} />
        {hint}
      </div>
    )
  }
  return (
    <div class="field">
      <label for={id} dir="auto">
        {field.label}
        {field.required === true && <span class="quiet"> (required)</span>}
      </label>
      <Input {...props} />
      {hint}
      {field.suggestions !== undefined && (
        <div class="choices" role="group" aria-label="Usual answers">
          {field.suggestions.map((one) => (
            <button type="button" key={one} onClick={() => onChange(field.name, one)}>
              {one}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
