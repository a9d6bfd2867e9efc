/** The place of the offers. */
import { Edit } from "../form/Edit.tsx"
import type { Act } from "../list/Acts.tsx"
import { Detail, ReadCard } from "../list/Detail.tsx"
import { EntryList } from "../list/Entries.tsx"
import { Sign } from "../list/Row.tsx"
import { listing, pageOf } from "../place/Listing.ts"
import { dateAndTime } from "../queue/times.ts"
import { act } from "../service/act.ts"
import { run } from "../service/request.ts"
import type { InputOf, ResultOf } from "../service/shapes.ts"
import { EditEntries } from "./EditEntries.tsx"
import { inputOf, newInputOf, valuesOf } from "./fields.ts"
import { offerFields, offerLists } from "./offerFields.ts"
import { askDelete, MissionPlace, New } from "./Place.tsx"

type Offer = ResultOf<"offer.get">["offer"]

const list = listing<Offer>(
  ({ id }) => id,
  /^offer\./,
  async ({ query }, page) =>
    pageOf(await run("offer.list", { ...page, ...(query === undefined ? {} : { query }) }), "offers")
)

interface Props {
  readonly offer: Offer
  readonly refresh: () => Promise<void>
}

const severities = { error: "Error", warning: "Warning", info: "Tip" }

/** What a sceptical reader would say, and which missions use it. */
const Check = ({ offer: { id } }: Pick<Props, "offer">) => (
  <>
    <ReadCard title="Check" read={() => run("offer.check", { offer_id: id })} events={/^offer\./}>
      {({ findings }) => (
        <EntryList
          empty="Nothing is missing."
          entries={findings.map(({ message: name, severity }) => ({ name, signs: [[severities[severity], severity]] }))}
        />
      )}
    </ReadCard>
    <ReadCard
      title="Used by"
      read={() => run("mission.list", { offer_id: id, status: "active", limit: 20 })}
      events={/^mission\./}
    >
      {({ missions }) => (
        <EntryList
          empty="No mission uses this offer."
          entries={missions.map(({ id: item, name }) => ({ name, to: { place: "missions", item } }))}
        />
      )}
    </ReadCard>
  </>
)

const actsOf = ({ offer: { id, isDraft, name }, refresh }: Props): ReadonlyArray<Act> => {
  const offer_id = id
  const publish = () => void act("offer.publish", { offer_id }, `${name} is published.`).then(refresh)
  const withdraw = () =>
    void act("offer.update", { offer_id, is_draft: true }, `${name} is a draft again.`).then(refresh)
  const text = "This can't be undone. Messages that were written keep their text."
  return [
    isDraft
      ? { text: "Publish", key: "p", isPrimary: true, run: publish }
      : { text: "Back to draft", key: "p", run: withdraw },
    { text: "Delete", run: () => askDelete(name, text, list, "offer.delete", { offer_id }) }
  ]
}

const Forms = ({ offer, refresh }: Props) => {
  const save = (input: Omit<InputOf<"offer.update">, "offer_id">, key: string) =>
    run("offer.update", { offer_id: offer.id, ...input }, { key })
  return (
    <>
      <Edit
        id={`offer ${offer.id}`}
        title="Texts"
        fields={offerFields}
        values={valuesOf(offerFields, offer)}
        onSubmit={(_, changed, key) => save(inputOf(offerFields, changed), key)}
        onDone={refresh}
      />
      {offerLists.map(([name, input, title, add, fields]) => (
        <EditEntries
          key={name}
          id={`offer ${offer.id} ${name}`}
          {...{ title, add, fields }}
          onDone={refresh}
          entries={offer[name] as ReadonlyArray<object>}
          save={(entries, key) => save({ [input]: entries }, key)}
        />
      ))}
    </>
  )
}

/** The place. */
export const Offers = () => (
  <MissionPlace
    place="offers"
    list={list}
    row={({ isDraft, name, oneLiner, updatedAt }) => ({
      name,
      when: dateAndTime(updatedAt),
      signs: isDraft && <Sign>Draft</Sign>,
      preview: oneLiner
    })}
    read={(offer_id) => run("offer.get", { offer_id })}
    detail={({ offer }, refresh) => (
      <Detail title={offer.name} about={offer.isDraft ? "Draft" : "Published"} acts={actsOf({ offer, refresh })}>
        <Check offer={offer} />
        <Forms offer={offer} refresh={refresh} />
      </Detail>
    )}
    created={
      <New
        title="New offer"
        about="It starts as a draft. Publish it when the check finds no errors."
        fields={offerFields}
        list={list}
        create={(values, key) => run("offer.create", { ...newInputOf(offerFields, values), is_draft: true }, { key })}
        idOf={({ offer }) => offer.id}
      />
    }
  />
)
