import type { LiveEvent } from '#events/live-event'
import type { PersonLabel } from '#insights/people/person-label'
import type { LiveFeedEntry } from './feed'

/** The labels of persons, by the ids of their events. */
export type PersonLabels = ReadonlyMap<string, PersonLabel>

/** After these events a person may have another name, and be the person of other events too. */
const naming = new Set(['$identify', '$set', '$create_alias', '$merge_dangerously'])

/** The person of an event; robots and requests that were not stored have none to show. */
const personOf = (liveEvent: LiveEvent): string | undefined =>
  liveEvent.kind === 'stored' && liveEvent.columns.traffic === 'human' ? liveEvent.personId : undefined

export const labelOfPerson = (liveEvent: LiveEvent, labels: PersonLabels): PersonLabel | undefined =>
  labels.get(personOf(liveEvent) ?? '')

/** Returns the persons whose labels are to be read: the unknown ones, or all if one may have another name since. */
export function personsToName(
  entries: readonly LiveFeedEntry[],
  labels: PersonLabels,
  namedUpTo: number,
): string[] {
  const hasNews = entries.some(
    ({ id, liveEvent }) => id > namedUpTo && liveEvent.kind === 'stored' && naming.has(liveEvent.name),
  )
  const persons = entries.flatMap(({ liveEvent }) => personOf(liveEvent) ?? [])
  return [...new Set(persons)].filter((person) => hasNews || !labels.has(person))
}
