/** What stands in a column that shows nothing: why, and a button for what helps. */
interface Props {
  readonly text: string
  readonly help?: string
  readonly onHelp?: () => void
}

/** The text and the button. */
export const Nothing = ({ help, onHelp, text }: Props) => (
  <div class="empty stack quiet">
    <p>{text}</p>
    {help !== undefined && (
      <button type="button" onClick={onHelp}>
        {help}
      </button>
    )}
  </div>
)
