/** Swipes on a phone: to the right approves, to the left rejects. */
import type { RefObject } from "preact"
import { useEffect } from "preact/hooks"
import { perform } from "../keys/actions.ts"

const needed = 96

/** Watches an element. A swipe counts when the finger began on a text that may be decided on. */
export const useSwipes = (box: RefObject<HTMLElement | null>, isAllowed: () => boolean): void =>
  useEffect(() => {
    const element = box.current
    if (element === null) return
    let start: { readonly x: number; readonly y: number } | undefined
    const begin = (event: TouchEvent) => {
      const [touch] = event.touches
      start =
        touch === undefined || event.touches.length > 1 || !isAllowed()
          ? undefined
          : { x: touch.clientX, y: touch.clientY }
    }
    const end = (event: TouchEvent) => {
      const [touch] = event.changedTouches
      if (start === undefined || touch === undefined) return
      const [x, y] = [touch.clientX - start.x, touch.clientY - start.y]
      start = undefined
      if (Math.abs(x) < needed || Math.abs(y) > Math.abs(x) / 2) return
      perform(x > 0 ? "approve" : "reject", { at: event.timeStamp, isRepeat: false })
    }
    element.addEventListener("touchstart", begin, { passive: true })
    element.addEventListener("touchend", end)
    return () => {
      element.removeEventListener("touchstart", begin)
      element.removeEventListener("touchend", end)
    }
  })
