import type { LiveEvent } from '#events/live-event'

export const kinds = ['stored', 'dropped', 'refused'] as const
export type SightingKind = (typeof kinds)[number]

/** The filter of the live page, as its address has it. */
export interface LiveFilter {
  kind?: SightingKind
  name?: string
  /** The text to find in page, person or properties. */
  find?: string
}

const isKind = (text: string | null): text is SightingKind => kinds.some((kind) => kind === text)

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

export function matchesFilter(sighting: LiveEvent, { kind, name, find }: LiveFilter): boolean {
  if (kind && sighting.kind !== kind) return false
  if (name && nameOf(sighting) !== name) return false
  return !find || wordsIn(sighting).some((words) => words.toLowerCase().includes(find.toLowerCase()))
}

/** A request that was turned away whole named no event that we would know of. */
export const nameOf = (sighting: LiveEvent): string | undefined =>
  sighting.kind === 'refused' ? undefined : sighting.name

/** The searchable texts of an event. */
function wordsIn(sighting: LiveEvent): string[] {
  if (sighting.kind === 'dropped') return [sighting.name, sighting.reason]
  if (sighting.kind === 'refused') return [sighting.reason, sighting.dialect, sighting.named ?? '']
  const { name, distinctId, personId, sessionId, uuid, columns, groups, properties } = sighting
  const values = [columns, groups, properties].flatMap((some) => Object.values(some).map(String))
  return [name, distinctId, personId, sessionId, uuid, ...Object.keys(properties), ...values]
}
