import type { LiveEvent } from '#events/live-event'

/** A sighting as this page knows it, numbered in the order of coming. */
export interface LiveFeedEntry {
  id: number
  liveEvent: LiveEvent
}

/** The events that the live page holds. */
export interface Feed {
  /** Newest first. */
  shown: readonly LiveFeedEntry[]
  /** The events that arrived while the page was paused, newest first. */
  held: readonly LiveFeedEntry[]
  heldCount: number
  isPaused: boolean
  /** The number of events that the front left out because they came faster than a page can show. */
  skipped: number
  nextId: number
}

export type FeedChange =
  /** The events before the stream was opened; sent again after a reconnect. */
  | { what: 'recent'; liveEvents: readonly LiveEvent[] }
  | { what: 'came'; liveEvents: readonly LiveEvent[] }
  | { what: 'skipped'; count: number }
  | { what: 'paused' }
  | { what: 'resumed' }

/** The limit of events on the page, so that it stays fast. */
export const maxShown = 500

export const emptyFeed: Feed = { shown: [], held: [], heldCount: 0, isPaused: false, skipped: 0, nextId: 0 }

export function applyChange(feed: Feed, change: FeedChange): Feed {
  const { what } = change
  if (what === 'recent') return appendLiveEvents(feed, onlyNew(feed, change.liveEvents))
  if (what === 'came') return appendLiveEvents(feed, change.liveEvents)
  if (what === 'skipped') return { ...feed, skipped: feed.skipped + change.count }
  return what === 'paused' ? { ...feed, isPaused: true } : resumed(feed)
}

const resumed = ({ held, shown, ...feed }: Feed): Feed => ({
  ...feed,
  isPaused: false,
  shown: limitEntries([...held, ...shown]),
  held: [],
  heldCount: 0,
})

function appendLiveEvents(feed: Feed, liveEvents: readonly LiveEvent[]): Feed {
  if (liveEvents.length === 0) return feed
  const more = liveEvents.map((liveEvent, index) => ({ id: feed.nextId + index, liveEvent })).toReversed()
  const nextId = feed.nextId + liveEvents.length
  if (!feed.isPaused) return { ...feed, nextId, shown: limitEntries([...more, ...feed.shown]) }
  return {
    ...feed,
    nextId,
    held: limitEntries([...more, ...feed.held]),
    heldCount: feed.heldCount + liveEvents.length,
  }
}

const limitEntries = (entries: readonly LiveFeedEntry[]): readonly LiveFeedEntry[] =>
  entries.slice(0, maxShown)

/** The time at which the event reached us, whenever it may have happened. */
export const receivedAtOf = (liveEvent: LiveEvent): string =>
  liveEvent.kind === 'stored' ? liveEvent.receivedAt : liveEvent.at

/** Stored ones have an id; of the others, those are new that came after the last we know. */
function onlyNew({ shown, held }: Feed, liveEvents: readonly LiveEvent[]): readonly LiveEvent[] {
  const known = [...held, ...shown].map(({ liveEvent }) => liveEvent)
  const uuids = new Set(known.map((one) => (one.kind === 'stored' ? one.uuid : undefined)))
  const last = known.find(({ kind }) => kind !== 'stored')?.at ?? ''
  return liveEvents
    .filter((one) => (one.kind === 'stored' ? !uuids.has(one.uuid) : one.at > last))
    .toSorted((one, other) => (receivedAtOf(one) < receivedAtOf(other) ? -1 : 1))
}
