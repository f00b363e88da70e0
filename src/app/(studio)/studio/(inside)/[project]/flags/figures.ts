import type { FlagFigures } from '../../../../../../server/flag-numbers'
import { type Stale, staleWords } from '../../../../../../flags/staleness'
import type { Viewer } from '../../../../../../projects/access'
import { getProduct } from '../../../../../product'
import { asking } from './asking'
import type { RowFigures } from './FlagsTable'
import { valueWords } from './explain/value-words'
import { colourAt } from './VariantBar'

export interface ListFigures {
  byKey: ReadonlyMap<string, RowFigures>
  /** What code asks for though there is no such flag, by key. */
  notThere: readonly { key: string; persons: number }[]
}

/** What the engine knows of all flags; undefined where it cannot be asked now, which must not keep the list away. */
export async function figuresOf(
  projectId: number,
  environment: string,
  viewer: Viewer,
): Promise<ListFigures | undefined> {
  const { flagNumbers } = getProduct()
  const answer = await asking(() => flagNumbers.ofAll(projectId, { environment, period: '30d' }, viewer))
  if (!answer.done) return undefined
  const { flags, unknown } = answer.figures
  return {
    byKey: new Map(Array.from(flags, ([key, figures]) => [key, rowFigures(figures)])),
    notThere: unknown.map(({ key, persons }) => ({ key, persons })),
  }
}

const rowFigures = ({ lastAsked, persons, values, stale }: FlagFigures): RowFigures => ({
  askedAt: lastAsked,
  persons,
  traffic: trafficOf(values),
  stale: stale && { label: staleLabels[stale.because], why: staleWords[stale.because] },
})

const staleLabels: Record<Stale['because'], string> = {
  'never-asked': 'Never asked',
  'not-asked': 'Not asked any more',
  'one-answer': 'Always one answer',
  'fully-rolled-out': 'Fully rolled out',
}

/** Who got nothing is drawn quietly, whatever its place. */
export function trafficOf(values: FlagFigures['values']) {
  const [off, got] = [values.filter(isOff), values.filter((one) => !isOff(one))]
  return [
    ...got
      .toSorted((one, other) => one.value.localeCompare(other.value, 'en'))
      .map(({ value, persons }, place) => ({
        label: wordOf(value),
        value: persons,
        colour: colourAt(place),
      })),
    ...off.map(({ persons }) => ({ label: 'Off', value: persons, colour: 'rest' as const })),
  ]
}

const isOff = ({ value }: { value: string }): boolean => value === 'false' || value === ''
const wordOf = (value: string): string => (value === 'true' ? valueWords(true) : value)
