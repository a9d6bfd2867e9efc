/** The place of the offers. */
import { usePlaceKeys } from "../keys/usePlaceKeys.ts"
import { Card, Detail, Read, useReading } from "../list/Detail.tsx"
import { Sign } from "../list/Row.tsx"
import { listing } from "../place/Listing.ts"
import { dateAndTime } from "../queue/times.ts"
import { say } from "../screen/state.ts"
import { run } from "../service/request.ts"
import type { InputOf, ResultOf } from "../service/shapes.ts"
import { Entries } from "./Entries.tsx"
import { inputOf, newInputOf, valuesOf } from "./fields.ts"
import { offerFields, offerLists } from "./offerFields.ts"
import { MissionPlace } from "./Place.tsx"
import { change, Delete, Edit, Links, New, refreshBoth } from "./parts.tsx"

type Offer = ResultOf<"offer.get">["offer"]

const list = listing<Offer>(
  ({ id }) => id,
  /^offer\./,
  async ({ query }, page) => {
    const found = await run("offer.list", { ...page, ...(query === undefined ? {} : { query }) })
    return found.ok ? { ...found, data: { items: found.data.offers, next_cursor: found.data.next_cursor } } : found
  }
)

interface Props {
  readonly offer: Offer
  readonly refresh: () => Promise<void>
}

const severities = { error: "Error", warning: "Warning", info: "Tip" }

/** What a sceptical reader would say, and which missions use it. */
const Check = ({ offer: { id } }: Pick<Props, "offer">) => {
  const check = useReading(() => run("offer.check", { offer_id: id }), /^offer\./)
  const users = useReading(() => run("mission.list", { offer_id: id, status: "active", limit: 20 }), /^mission\./)
  return (
    <>
      <Card title="Check">
        <Read {...check}>
          {({ findings }) => (
            <ul class="plain-list">
              {findings.length === 0 && <li class="quiet">Nothing is missing.</li>}
              {findings.map(({ code, message, path, severity }) => (
                <li key={`${path} ${code}`}>
                  <span class={`sign ${severity}`}>{severities[severity]}</span> {message}
                </li>
              ))}
            </ul>
          )}
        </Read>
      </Card>
      <Card title="Used by">
        <Read {...users}>
          {({ missions }) => <Links place="missions" items={missions} empty="No mission uses this offer." />}
        </Read>
      </Card>
    </>
  )
}

const Actions = ({ offer: { id, isDraft, name }, refresh }: Props) => {
  const shown = { refresh, list }
  const publish = () => {
    if (isDraft) void change(shown, "offer.publish", { offer_id: id }, `${name} is published.`)
    else say(`${name} is published already.`)
  }
  const unpublish = () =>
    void change(shown, "offer.update", { offer_id: id, is_draft: true }, `${name} is a draft again.`)
  usePlaceKeys([{ key: "p", text: "Publish the offer", run: publish }], `${id} ${isDraft} ${name}`)
  return (
    <>
      {isDraft ? (
        <button type="button" class="primary" onClick={publish}>
          Publish <kbd>P</kbd>
        </button>
      ) : (
        <button type="button" onClick={unpublish}>
          Back to draft
        </button>
      )}
      <Delete
        name={name}
        command="offer.delete"
        input={{ offer_id: id }}
        text="This can't be undone. Messages that were written keep their text."
        list={list}
      />
    </>
  )
}

const Forms = ({ offer, refresh }: Props) => {
  const onDone = () => void refreshBoth({ refresh, list })
  const save = (input: Omit<InputOf<"offer.update">, "offer_id">, key: string) =>
    run("offer.update", { offer_id: offer.id, ...input }, { key })
  return (
    <>
      <Edit
        id={`offer ${offer.id}`}
        title="Texts"
        fields={offerFields}
        values={valuesOf(offerFields, offer)}
        save={(changed, _, key) => save(inputOf(offerFields, changed), key)}
        onDone={onDone}
      />
      {offerLists.map(([name, input, title, add, fields]) => (
        <Entries
          key={name}
          id={`offer ${offer.id} ${name}`}
          {...{ title, add, fields, onDone }}
          entries={offer[name] as ReadonlyArray<object>}
          save={(entries, key) => save({ [input]: entries }, key)}
        />
      ))}
    </>
  )
}

const OfferDetail = ({ id }: { readonly id: string }) => {
  const { reading, refresh } = useReading(() => run("offer.get", { offer_id: id }), /^offer\./)
  return (
    <Read reading={reading} refresh={refresh}>
      {({ offer }) => (
        <Detail
          title={offer.name}
          from="offers"
          about={offer.isDraft ? "Draft" : "Published"}
          actions={<Actions offer={offer} refresh={refresh} />}
        >
          <Check offer={offer} />
          <Forms offer={offer} refresh={refresh} />
        </Detail>
      )}
    </Read>
  )
}

/** The place. */
export const Offers = () => (
  <MissionPlace
    place="offers"
    label="Offers"
    one="offer"
    list={list}
    row={({ isDraft, name, oneLiner, updatedAt }) => ({
      name,
      when: dateAndTime(updatedAt),
      signs: isDraft && <Sign>Draft</Sign>,
      preview: oneLiner
    })}
    detail={(id) => <OfferDetail id={id} />}
    created={() => (
      <New
        title="New offer"
        from="offers"
        about="It starts as a draft. Publish it when the check finds no errors."
        fields={offerFields}
        list={list}
        create={(values, key) => run("offer.create", { ...newInputOf(offerFields, values), is_draft: true }, { key })}
        idOf={({ offer }) => offer.id}
      />
    )}
  />
)
