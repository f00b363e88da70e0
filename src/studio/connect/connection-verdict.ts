import type { DroppedLiveEvent, RefusedLiveRequest, LiveEvent, StoredLiveEvent } from '#events/live-event'
import { explainDrop, explainRefusal } from '#studio/live/sighting-explanations'
import { testEvent } from './test-event'

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
  sightings: readonly LiveEvent[],
  project: ExpectedProject,
): ConnectionVerdict {
  const event = sightings.findLast(isFromTheSite)
  if (event) return { is: 'arrived', event }
  const troubles = troublesIn(sightings, project)
  return troubles.length > 0 ? { is: 'troubled', troubles } : { is: 'waiting' }
}

/** The properties that an event must have for the project to accept it. */
interface ExpectedProject {
  key: string
  hosts: readonly string[]
}

const isFromTheSite = (sighting: LiveEvent): sighting is StoredLiveEvent =>
  sighting.kind === 'stored' && sighting.name !== testEvent

export const hasStored = (sightings: readonly LiveEvent[], uuid: string): boolean =>
  sightings.some((sighting) => sighting.kind === 'stored' && sighting.uuid === uuid)

/** Groups equal reasons with their counts, the latest first. */
function troublesIn(sightings: readonly LiveEvent[], project: ExpectedProject): ConnectionTrouble[] {
  const known = new Map<string, ConnectionTrouble>()
  for (const sighting of sightings) {
    if (sighting.kind === 'stored') continue
    const { title, remedy } = wordsFor(sighting, project)
    const count = (known.get(title)?.count ?? 0) + 1
    known.delete(title)
    known.set(title, { title, remedy, count, lastAt: sighting.at })
  }
  return [...known.values()].toReversed().slice(0, maxTroubles)
}

const wordsFor = (sighting: DroppedLiveEvent | RefusedLiveRequest, project: ExpectedProject) =>
  sighting.kind === 'dropped'
    ? explainDrop(sighting.reason, project.hosts)
    : explainRefusal(sighting, project.key)
