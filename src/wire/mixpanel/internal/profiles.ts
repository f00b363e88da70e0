import type { IncomingEvent, Json, ListChange, PersonChanges, Properties } from '#events/event'
import { isProperties } from '../../decode-body'
import { parseTime } from '../../posthog/time'
import { idOf } from '../../internal/read-identity'
import { numberField, propertiesField } from '../../read-fields'
import { noPersonChanges, trackerEvent } from '../../internal/tracker-events'

/** Converts an update of a person or a group; undefined for anything else. */
export function profileEvents(input: Json): IncomingEvent[] | undefined {
  if (!isProperties(input)) return undefined
  const [type, key] = [idOf(input['$group_key']), idOf(input['$group_id'])]
  if (type !== '' && key !== '') return [groupEvent(input, type, key)]
  return Object.hasOwn(input, '$distinct_id') ? personEvents(input) : undefined
}

const groupEvent = (update: Properties, type: string, key: string): IncomingEvent =>
  trackerEvent({
    name: '$groupidentify',
    distinctId: `$${type}_${key}`,
    hasPerson: false,
    properties: { $lib: 'mixpanel' },
    groups: { [type]: key },
    group: {
      type,
      key,
      set: { ...propertiesField(update, '$set_once'), ...propertiesField(update, '$set') },
    },
  })

/** Reads an update. It never deletes a person: that needs a member with the right. */
function personEvents(update: Properties): IncomingEvent[] {
  const distinctId = idOf(update['$distinct_id'])
  const person = changesIn(update)
  const purchases = purchasesIn(update).map((purchase) => purchaseEvent(distinctId, purchase))
  if (Object.hasOwn(update, '$delete')) return purchases
  return [
    trackerEvent({ name: '$identify', distinctId, properties: { $lib: 'mixpanel' }, person }),
    ...purchases,
  ]
}

/** Fields of an update that only describe the device from which it came. */
const deviceFields = new Set(['$os', '$browser', '$browser_version'])

function changesIn(update: Properties): PersonChanges {
  const set = Object.entries(propertiesField(update, '$set')).filter(([name]) => !deviceFields.has(name))
  const unset = update['$unset']
  const lists = listChangesIn(update)
  return {
    ...noPersonChanges,
    set: Object.fromEntries(set.map(([name, value]) => [commonName(name), value])),
    setOnce: propertiesField(update, '$set_once'),
    unset: Array.isArray(unset) ? unset.filter((name) => typeof name === 'string').map(commonName) : [],
    add: Object.fromEntries(
      Object.entries(propertiesField(update, '$add')).filter(
        (entry): entry is [string, number] => typeof entry[1] === 'number',
      ),
    ),
    ...(lists.length > 0 && { lists }),
  }
}

/** Mixpanel's reserved names of a person, and the usual ones. */
const commonNames: Readonly<Record<string, string>> = {
  $email: 'email',
  $name: 'name',
  $first_name: 'first_name',
  $last_name: 'last_name',
  $phone: 'phone',
  $avatar: 'avatar',
}

const commonName = (name: string): string =>
  Object.hasOwn(commonNames, name) ? (commonNames[name] ?? name) : name

const listOperators = {
  $append: 'append',
  $union: 'append-absent',
  $remove: 'remove',
} as const satisfies Record<string, ListChange['kind']>

const listChangesIn = (update: Properties): ListChange[] =>
  Object.entries(listOperators).flatMap(([operator, kind]) =>
    Object.entries(propertiesField(update, operator))
      .filter(([name]) => name !== '$transactions')
      .map(([name, item]): ListChange => ({ kind, name, item })),
  )

/** Mixpanel keeps purchases in a list of the person. */
function purchasesIn(update: Properties): Properties[] {
  const purchases = propertiesField(update, '$append')['$transactions']
  return (Array.isArray(purchases) ? purchases : [purchases]).filter(isProperties)
}

function purchaseEvent(distinctId: string, purchase: Properties): IncomingEvent {
  const { $amount: _amount, $time: time, ...properties } = purchase
  return trackerEvent({
    name: 'Purchase',
    distinctId,
    timestamp: parseTime(time),
    properties: { ...properties, $revenue: numberField(purchase, '$amount') ?? null, $lib: 'mixpanel' },
  })
}
