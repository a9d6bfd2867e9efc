/** A choice on its own, named for screen readers alone. */
import type { Options } from "./values.ts"

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: Options
  readonly onChange: (value: string) => void
}

/** The choice. */
export const Choice = ({ label, onChange, options, value }: ChoiceProps) => (
  <select aria-label={label} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
    {options.map(([option, text]) => (
      <option key={option} value={option} selected={option === value}>
        {text}
      </option>
    ))}
  </select>
)
