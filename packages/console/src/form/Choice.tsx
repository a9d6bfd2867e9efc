/** A choice among values. */
import type { ComponentProps } from "preact"
import type { Options } from "./values.ts"

type Attributes = Pick<ComponentProps<"select">, "aria-describedby" | "autofocus" | "id" | "name" | "required">

interface ChoiceProps extends Attributes {
  /** Its name for screen readers, where nothing on the screen names it. */
  readonly label?: string
  readonly value: string
  readonly options: Options
  readonly onChange: (value: string) => void
}

/** The choice. */
export const Choice = ({ label, onChange, options, value, ...others }: ChoiceProps) => (
  <select {...others} aria-label={label} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
    {options.map(([option, text]) => (
      <option key={option} value={option} selected={option === value} dir="auto">
        {text}
      </option>
    ))}
  </select>
)
