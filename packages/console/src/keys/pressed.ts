/** What a click counts as: a key that was pressed once, now. */
export const pressed = () => ({ at: performance.now(), isRepeat: false })
