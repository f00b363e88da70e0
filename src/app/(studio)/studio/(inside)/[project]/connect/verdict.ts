import type {
  DroppedSighting,
  RefusedSighting,
  Sighting,
  StoredSighting,
} from '../../../../../../events/sighting'
import { testEvent } from './test-event'
import { dropWords, refusalWords } from '../live/words'

/** What has become of connecting a site, as far as can be told from what came in. */
export type Verdict =
  | { is: 'waiting' }
  | { is: 'arrived'; event: StoredSighting }
  | { is: 'troubled'; troubles: readonly Trouble[] }

/** Something that keeps coming in and is not kept. */
export interface Trouble {
  title: string
  remedy: string
  count: number
  lastAt: string
}

/** More kinds of trouble at once than anybody reads. */
const mostTroubles = 4

/** Any event of the site's own settles it. Test events prove only that the installation works. */
export function verdictOn(sightings: readonly Sighting[], project: Wanted): Verdict {
  const event = sightings.findLast(isFromTheSite)
  if (event) return { is: 'arrived', event }
  const troubles = troublesIn(sightings, project)
  return troubles.length > 0 ? { is: 'troubled', troubles } : { is: 'waiting' }
}

/** What somebody would have to send for it to be kept. */
export interface Wanted {
  key: string
  hosts: readonly string[]
}

const isFromTheSite = (sighting: Sighting): sighting is StoredSighting =>
  sighting.kind === 'stored' && sighting.name !== testEvent

export const hasStored = (sightings: readonly Sighting[], uuid: string): boolean =>
  sightings.some((sighting) => sighting.kind === 'stored' && sighting.uuid === uuid)

/** The same trouble is told once, with how often it came; the last to come stands first. */
function troublesIn(sightings: readonly Sighting[], project: Wanted): Trouble[] {
  const known = new Map<string, Trouble>()
  for (const sighting of sightings) {
    if (sighting.kind === 'stored') continue
    const { title, remedy } = wordsFor(sighting, project)
    const count = (known.get(title)?.count ?? 0) + 1
    known.delete(title)
    known.set(title, { title, remedy, count, lastAt: sighting.at })
  }
  return [...known.values()].toReversed().slice(0, mostTroubles)
}

const wordsFor = (sighting: DroppedSighting | RefusedSighting, project: Wanted) =>
  sighting.kind === 'dropped'
    ? dropWords(sighting.reason, project.hosts)
    : refusalWords(sighting, project.key)
