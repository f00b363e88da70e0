import type { Sighting } from '../../../../../../events/sighting'

/** A sighting as this page knows it, numbered in the order of coming. */
export interface Seen {
  id: number
  sighting: Sighting
}

/** What the page holds of what came by. */
export interface Feed {
  /** Newest first. */
  shown: readonly Seen[]
  /** What came while the page stood still, newest first. */
  held: readonly Seen[]
  heldCount: number
  isPaused: boolean
  /** Told by the front: so many came faster than a page can show. */
  skipped: number
  nextId: number
}

export type Happening =
  /** What had come before somebody looked, and all of it once more when a lost connection is found again. */
  | { what: 'recent'; sightings: readonly Sighting[] }
  | { what: 'came'; sightings: readonly Sighting[] }
  | { what: 'skipped'; count: number }
  | { what: 'paused' }
  | { what: 'resumed' }

/** As many as a page can hold without getting slow. */
export const mostShown = 500

export const nothingYet: Feed = { shown: [], held: [], heldCount: 0, isPaused: false, skipped: 0, nextId: 0 }

export function after(feed: Feed, happening: Happening): Feed {
  const { what } = happening
  if (what === 'recent') return withMore(feed, unseen(feed, happening.sightings))
  if (what === 'came') return withMore(feed, happening.sightings)
  if (what === 'skipped') return { ...feed, skipped: feed.skipped + happening.count }
  return what === 'paused' ? { ...feed, isPaused: true } : resumed(feed)
}

const resumed = ({ held, shown, ...feed }: Feed): Feed => ({
  ...feed,
  isPaused: false,
  shown: bounded([...held, ...shown]),
  held: [],
  heldCount: 0,
})

function withMore(feed: Feed, sightings: readonly Sighting[]): Feed {
  if (sightings.length === 0) return feed
  const more = sightings.map((sighting, index) => ({ id: feed.nextId + index, sighting })).toReversed()
  const nextId = feed.nextId + sightings.length
  if (!feed.isPaused) return { ...feed, nextId, shown: bounded([...more, ...feed.shown]) }
  return {
    ...feed,
    nextId,
    held: bounded([...more, ...feed.held]),
    heldCount: feed.heldCount + sightings.length,
  }
}

const bounded = (seen: readonly Seen[]): readonly Seen[] => seen.slice(0, mostShown)

/** When it reached us, whenever it may have happened. */
export const cameAt = (sighting: Sighting): string =>
  sighting.kind === 'stored' ? sighting.receivedAt : sighting.at

/** Stored ones have an id; of the others, those are new that came after the last we know. */
function unseen({ shown, held }: Feed, sightings: readonly Sighting[]): readonly Sighting[] {
  const known = [...held, ...shown].map(({ sighting }) => sighting)
  const uuids = new Set(known.map((one) => (one.kind === 'stored' ? one.uuid : undefined)))
  const last = known.find(({ kind }) => kind !== 'stored')?.at ?? ''
  return sightings
    .filter((one) => (one.kind === 'stored' ? !uuids.has(one.uuid) : one.at > last))
    .toSorted((one, other) => (cameAt(one) < cameAt(other) ? -1 : 1))
}
