import type { FlagFigures } from '#flags/numbers'
import type { Flag } from '#flags/flag'
import { type StaleReason, staleWords } from '#flags/staleness'
import type { Viewer } from '#projects/access'
import { getProduct } from '#studio/product'
import { tryEngine } from '#studio/parts/refusals'
import type { FlagRowFigures } from './FlagsTable'
import { flagValueLabel } from './explain/value-label'
import { servedColours, type VariantColours } from './variant-colour'

export interface FlagListFigures {
  byKey: ReadonlyMap<string, FlagRowFigures>
  /** The flags that code requests but that do not exist, by key. */
  unknownFlags: readonly { key: string; persons: number }[]
}

/** The engine's figures about all flags; undefined while the engine is unavailable, so that the list still shows. */
export async function figuresOf(
  projectId: number,
  listed: readonly Pick<Flag, 'key' | 'variants'>[],
  environment: string,
  viewer: Viewer,
): Promise<FlagListFigures | undefined> {
  const { numbers: flagNumbers } = getProduct().flags
  const answer = await tryEngine(() => flagNumbers.ofAll(projectId, { environment, period: '30d' }, viewer))
  if (!answer.done) return undefined
  const { flags, unknown } = answer.figures
  return {
    byKey: new Map(
      listed.flatMap((flag) => {
        const figures = flags.get(flag.key)
        return figures ? [[flag.key, rowFigures(figures, servedColours(flag))] as const] : []
      }),
    ),
    unknownFlags: unknown.map(({ key, persons }) => ({ key, persons })),
  }
}

const rowFigures = (
  { lastAsked, persons, values, stale }: FlagFigures,
  colourOf: VariantColours,
): FlagRowFigures => ({
  askedAt: lastAsked,
  persons,
  traffic: trafficOf(values, colourOf),
  stale: stale && { label: staleLabels[stale.because], why: staleWords[stale.because] },
})

const staleLabels: Record<StaleReason['because'], string> = {
  'never-asked': 'Never evaluated',
  'not-asked': 'Stale',
  'one-answer': 'Always the same value',
  'fully-rolled-out': 'Fully rolled out',
}

/** The value "off" always has the quiet colour. */
export function trafficOf(values: FlagFigures['values'], colourOf: VariantColours) {
  const [off, got] = [values.filter(isOff), values.filter((one) => !isOff(one))]
  return [
    ...got
      .toSorted((one, other) => one.value.localeCompare(other.value, 'en'))
      .map(({ value, persons }) => ({
        served: value,
        label: valueLabelOf(value),
        value: persons,
        colour: colourOf(value),
      })),
    ...off.map(({ value, persons }) => ({
      served: value,
      label: 'Off',
      value: persons,
      colour: 'rest' as const,
    })),
  ]
}

const isOff = ({ value }: { value: string }): boolean => value === 'false' || value === ''
const valueLabelOf = (value: string): string => (value === 'true' ? flagValueLabel(true) : value)
