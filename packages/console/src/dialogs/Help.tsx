/** All keys. */
import { entries, shownKey } from "../keys/keyMap.ts"
import { Cancel, Modal } from "./Modal.tsx"

/** See above. */
export const Help = () => (
  <Modal title="Keys" isWide>
    <dl class="keys">
      {entries
        .filter(({ keys }) => keys.length > 0)
        .map(({ action, keys, text }) => (
          <div key={action}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{shownKey(key)}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
    </dl>
    <p class="quiet">
      A does nothing until a text was on the screen for 0.3 seconds. Enter never approves. On a phone, swipe right to
      approve and left to reject.
    </p>
    <div class="dialog-foot">
      <Cancel text="Close" />
    </div>
  </Modal>
)
