import type { Sighting } from '../../../../../../events/sighting'

export const kinds = ['stored', 'dropped', 'refused'] as const
export type Kind = (typeof kinds)[number]

/** What the page is narrowed to, as its address says. */
export interface LiveQuestion {
  kind?: Kind
  name?: string
  /** Words to be found in page, person or properties. */
  find?: string
}

const isKind = (text: string | null): text is Kind => kinds.some((kind) => kind === text)

/** An address may say anything; what is not a question here is not asked. */
export function questionIn(search: Pick<URLSearchParams, 'get'>): LiveQuestion {
  const kind = search.get('kind')
  return {
    kind: isKind(kind) ? kind : undefined,
    name: search.get('name') || undefined,
    find: search.get('find') || undefined,
  }
}

export const isNarrowed = ({ kind, name, find }: LiveQuestion): boolean => Boolean(kind || name || find)

export function fits(sighting: Sighting, { kind, name, find }: LiveQuestion): boolean {
  if (kind && sighting.kind !== kind) return false
  if (name && nameOf(sighting) !== name) return false
  return !find || wordsIn(sighting).some((words) => words.toLowerCase().includes(find.toLowerCase()))
}

/** A request that was turned away whole named no event that we would know of. */
export const nameOf = (sighting: Sighting): string | undefined =>
  sighting.kind === 'refused' ? undefined : sighting.name

/** Everything of a sighting that somebody might look for. */
function wordsIn(sighting: Sighting): string[] {
  if (sighting.kind === 'dropped') return [sighting.name, sighting.reason]
  if (sighting.kind === 'refused') return [sighting.reason, sighting.dialect, sighting.named ?? '']
  const { name, distinctId, personId, sessionId, uuid, columns, groups, properties } = sighting
  const values = [columns, groups, properties].flatMap((some) => Object.values(some).map(String))
  return [name, distinctId, personId, sessionId, uuid, ...Object.keys(properties), ...values]
}
