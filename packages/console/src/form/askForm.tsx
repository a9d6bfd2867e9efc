/** A form over the page. */
import type { ComponentProps } from "preact"
import { ask, closeDialog, say } from "../screen/state.ts"
import { Form } from "./Form.tsx"

type FormProps<A> = ComponentProps<typeof Form<A>>

interface Asked<A> extends Omit<FormProps<A>, "onCancel" | "onDone"> {
  readonly title: string
  readonly isWide?: boolean
  /** What is said when it was stored, unless `onDone` says it. */
  readonly done?: string | ((data: A) => string)
  readonly onDone?: (data: A) => unknown
}

/** Asks for the fields of a form, closes it when they were stored, and says so. */
export const askForm = <A,>({ done, isWide, onDone, title, ...form }: Asked<A>): void =>
  ask(
    title,
    () => (
      <Form
        {...form}
        onCancel={closeDialog}
        onDone={(data: A, held) => {
          closeDialog()
          if (held !== "") return
          if (done !== undefined) say(typeof done === "string" ? done : done(data))
          onDone?.(data)
        }}
      />
    ),
    isWide
  )
