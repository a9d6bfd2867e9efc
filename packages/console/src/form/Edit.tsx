/** A card with a form that changes what is open. */
import type { ComponentProps } from "preact"
import { Card } from "../list/Detail.tsx"
import { Form } from "./Form.tsx"

interface EditProps extends Omit<ComponentProps<typeof Form<unknown>>, "submit"> {
  readonly title: string
  readonly about?: string
}

/** The card. */
export const Edit = ({ about, title, ...form }: EditProps) => (
  <Card title={title}>
    {about !== undefined && <p class="quiet">{about}</p>}
    <Form {...form} submit="Save" />
  </Card>
)
