import type { DroppedLiveEvent, RefusedLiveRequest, LiveEvent, StoredLiveEvent } from '#events/live-event'
import { explainDrop, explainRefusal } from '#studio/live/live-event-explanations'
import { testEvent } from '#studio/live/live-event-labels'

/** The state of connecting a site, judged by what has arrived. */
export type ConnectionVerdict =
  | { is: 'waiting' }
  | { is: 'arrived'; event: StoredLiveEvent }
  | { is: 'troubled'; troubles: readonly ConnectionTrouble[] }

/** A repeated reason for which events are not accepted. */
export interface ConnectionTrouble {
  title: string
  remedy: string
  count: number
  lastAt: string
}

/** The limit of reasons shown. */
const maxTroubles = 4

/** Any event of the site's own decides. Test events prove only that the installation works. */
export function connectionVerdict(
  liveEvents: readonly LiveEvent[],
  project: ExpectedProject,
): ConnectionVerdict {
  const event = liveEvents.findLast(isFromTheSite)
  if (event) return { is: 'arrived', event }
  const troubles = troublesIn(liveEvents, project)
  return troubles.length > 0 ? { is: 'troubled', troubles } : { is: 'waiting' }
}

/** The properties that an event must have for the project to accept it. */
interface ExpectedProject {
  key: string
  hosts: readonly string[]
}

const isFromTheSite = (liveEvent: LiveEvent): liveEvent is StoredLiveEvent =>
  liveEvent.kind === 'stored' && liveEvent.name !== testEvent

export const hasStored = (liveEvents: readonly LiveEvent[], uuid: string): boolean =>
  liveEvents.some((liveEvent) => liveEvent.kind === 'stored' && liveEvent.uuid === uuid)

/** Groups equal reasons with their counts, the latest first. */
function troublesIn(liveEvents: readonly LiveEvent[], project: ExpectedProject): ConnectionTrouble[] {
  const known = new Map<string, ConnectionTrouble>()
  for (const liveEvent of liveEvents) {
    if (liveEvent.kind === 'stored') continue
    const { title, remedy } = wordsFor(liveEvent, project)
    const count = (known.get(title)?.count ?? 0) + 1
    known.delete(title)
    known.set(title, { title, remedy, count, lastAt: liveEvent.at })
  }
  return [...known.values()].toReversed().slice(0, maxTroubles)
}

const wordsFor = (liveEvent: DroppedLiveEvent | RefusedLiveRequest, project: ExpectedProject) =>
  liveEvent.kind === 'dropped'
    ? explainDrop(liveEvent.reason, project.hosts)
    : explainRefusal(liveEvent, project.key)
