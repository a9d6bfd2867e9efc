/** A choice among values. */
import type { Options } from "./values.ts"

interface ChoiceProps {
  /** Its name for screen readers, where nothing on the screen names it. */
  readonly label?: string
  readonly value: string
  readonly options: Options
  readonly onChange: (value: string) => void
  readonly id?: string
  readonly name?: string
  readonly required?: boolean
  readonly autofocus?: boolean
  readonly "aria-describedby"?: string
}

/** The choice. */
export const Choice = ({ label, onChange, options, value, ...others }: ChoiceProps) => (
  <select {...others} aria-label={label} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
    {options.map(([option, text]) => (
      <option key={option} value={option} selected={option === value}>
        {text}
      </option>
    ))}
  </select>
)
