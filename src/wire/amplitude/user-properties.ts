import type { Json, ListChange, PersonChanges, Properties } from '#events/event'
import { isProperties } from '../decode-body'
import { propertiesField } from '../read-fields'

/** The operators that change lists. */
const listOperators = {
  $append: 'append',
  $prepend: 'prepend',
  $postInsert: 'append-absent',
  $preInsert: 'prepend-absent',
  $remove: 'remove',
} as const satisfies Record<string, ListChange['kind']>

/** The SDK sends this text where a visit has no value. */
const emptyValue = 'EMPTY'

/** Reads the operators of an identify call. Properties without an operator are set. */
export function userChanges(value: Json | undefined): PersonChanges {
  const changes = isProperties(value) ? value : {}
  const plain = Object.entries(changes).filter(([name]) => !name.startsWith('$'))
  const lists = Object.entries(listOperators).flatMap(([operator, kind]) =>
    Object.entries(propertiesField(changes, operator)).map(([name, item]): ListChange => ({
      kind,
      name,
      item,
    })),
  )
  return {
    set: withoutEmpty({ ...Object.fromEntries(plain), ...propertiesField(changes, '$set') }),
    setOnce: withoutEmpty(propertiesField(changes, '$setOnce')),
    unset: Object.keys(propertiesField(changes, '$unset')),
    add: amountsIn(propertiesField(changes, '$add')),
    ...(lists.length > 0 && { lists }),
  }
}

const withoutEmpty = (properties: Properties): Properties =>
  Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== emptyValue))

/** Amplitude also adds numbers that are sent as text. */
function amountsIn(properties: Properties): Record<string, number> {
  const amounts = Object.entries(properties).map(([name, amount]) => [name, Number(amount)] as const)
  return Object.fromEntries(amounts.filter(([, amount]) => Number.isFinite(amount)))
}

/** The SDK sends these properties by itself: they are no reason to make a person of an anonymous visitor. */
const attribution =
  /^(?:initial_)?(?:utm_\w+|referrer|referring_domain|\w*clid|[gw]braid|ko_click_id|li_fat_id|rdt_cid)$/

export function onlyAttribution({ set, setOnce, unset, add, lists = [] }: PersonChanges): boolean {
  if (lists.length > 0 || Object.keys(add).length > 0) return false
  return [...Object.keys(set), ...Object.keys(setOnce), ...unset].every((name) => attribution.test(name))
}
