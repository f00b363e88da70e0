import { isEmpty, type ListChange, type PersonChanges, type Properties, hasNoChanges } from '#events/event'
import { cleanProperties, maxProperties } from './properties'
import { truncate, type IngestStep } from './step'

const longestKey = 200
const mostGroups = 20
/** The limit of other ids as well. */
const longestId = 200

/** Reads what the event says about its person and its groups, without private properties. */
export const cleanPerson: IngestStep = (draft, { rules }) => {
  const { event } = draft
  event.person = cleanChanges(event.person, rules.hashRouting)
  event.identity = event.identity && cutIdentity(event.identity)
  event.groups = cutGroups(event.groups)
  if (event.group) {
    const { type, key, set } = event.group
    event.group = {
      type: truncate(type, longestKey),
      key: truncate(key, longestId),
      set: cleanProperties(set, rules.hashRouting),
    }
  }
}

function cleanChanges(changes: PersonChanges, hashRouting: boolean): PersonChanges {
  if (hasNoChanges(changes)) return changes
  const { set, setOnce, unset, add, lists = [] } = changes
  return {
    set: cleanProperties(set, hashRouting),
    setOnce: cleanProperties(withoutNulls(setOnce), hashRouting),
    unset: unset.slice(0, maxProperties).map((name) => truncate(name, longestKey)),
    add: Object.fromEntries(
      Object.entries(add)
        .filter(([, amount]) => Number.isFinite(amount))
        .slice(0, maxProperties),
    ),
    ...(lists.length > 0 && { lists: cleanLists(lists, hashRouting) }),
  }
}

/** An item is cleaned as if it were the property. */
const cleanLists = (lists: readonly ListChange[], hashRouting: boolean): ListChange[] =>
  lists.slice(0, maxProperties).flatMap(({ kind, name, item }) =>
    Object.entries(cleanProperties({ [name]: item }, hashRouting)).map(([key, value]) => ({
      kind,
      name: key,
      item: value,
    })),
  )

/** posthog-js lists every possible initial property, most of them null. */
function withoutNulls(properties: Properties): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== null))
}

type Identity = NonNullable<Parameters<IngestStep>[0]['event']['identity']>

function cutIdentity(identity: Identity): Identity {
  if (identity.kind === 'identify')
    return { kind: 'identify', anonymous: truncate(identity.anonymous.trim(), longestId) }
  if (identity.kind === 'alias') return { kind: 'alias', alias: truncate(identity.alias.trim(), longestId) }
  return { kind: 'merge', other: truncate(identity.other.trim(), longestId) }
}

function cutGroups(groups: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  if (isEmpty(groups)) return groups
  const entries = Object.entries(groups).filter(([type, key]) => type !== '' && key !== '')
  return Object.fromEntries(
    entries.slice(0, mostGroups).map(([type, key]) => [truncate(type, longestKey), truncate(key, longestId)]),
  )
}
