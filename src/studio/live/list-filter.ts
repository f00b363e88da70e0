import type { LiveEvent } from '#events/live-event'
import type { PersonLabel } from '#insights/people/person-label'

export const kinds = ['stored', 'dropped', 'refused'] as const
export type LiveEventKind = (typeof kinds)[number]

/** The filter of the live page, as its address has it. */
export interface LiveFilter {
  kind?: LiveEventKind
  name?: string
  /** The text to find in page, person or properties. */
  find?: string
}

const isKind = (text: string | null): text is LiveEventKind => kinds.some((kind) => kind === text)

/** Ignores invalid values in the address. */
export function liveFilterIn(search: Pick<URLSearchParams, 'get'>): LiveFilter {
  const kind = search.get('kind')
  return {
    kind: isKind(kind) ? kind : undefined,
    name: search.get('name') || undefined,
    find: search.get('find') || undefined,
  }
}

export const isNarrowed = ({ kind, name, find }: LiveFilter): boolean => Boolean(kind || name || find)

export function matchesFilter(
  liveEvent: LiveEvent,
  { kind, name, find }: LiveFilter,
  person?: PersonLabel,
): boolean {
  if (kind && liveEvent.kind !== kind) return false
  if (name && nameOf(liveEvent) !== name) return false
  return (
    !find ||
    [...wordsIn(liveEvent), ...namesOf(person)].some((words) =>
      words.toLowerCase().includes(find.toLowerCase()),
    )
  )
}

/** A request that was turned away whole named no event that we would know of. */
export const nameOf = (liveEvent: LiveEvent): string | undefined =>
  liveEvent.kind === 'refused' ? undefined : liveEvent.name

const namesOf = (person: PersonLabel | undefined): string[] =>
  person ? [person.name, person.email ?? ''] : []

/** The searchable texts of an event. */
function wordsIn(liveEvent: LiveEvent): string[] {
  if (liveEvent.kind === 'dropped') return [liveEvent.name, liveEvent.reason]
  if (liveEvent.kind === 'refused') return [liveEvent.reason, liveEvent.dialect, liveEvent.named ?? '']
  const { name, distinctId, personId, sessionId, uuid, columns, groups, properties } = liveEvent
  const values = [columns, groups, properties].flatMap((some) => Object.values(some).map(String))
  return [name, distinctId, personId, sessionId, uuid, ...Object.keys(properties), ...values]
}
