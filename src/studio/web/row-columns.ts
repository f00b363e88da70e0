import { type BounceRule, bounceRuleText } from '#insights/bounce-rule'
import { type DimensionName, wordsOf } from '#insights/text/dimension-words'
import type { PanelRow } from '#insights/kinds/breakdown/answer'
import type { SortableBy } from '#insights/kinds/breakdown/schema'
import type { FurtherColumn } from '#ui/chart/chart'
import type { Unit } from '#ui/format'

/** A number of a row besides its visitors. */
interface RowColumn {
  key: SortableBy
  label: string
  unit?: Unit
  of: (row: PanelRow) => number | null | undefined
  /** Only in the list of all rows. */
  onlyInFull?: true
  needs?: FurtherColumn['needs']
}

/** The columns for time and depth of reading. Visits and views of pages have columns of their own. */
const ofPages: readonly RowColumn[] = [
  { key: 'bounceRate', label: 'Bounce rate', unit: 'percent', of: ({ reading }) => reading?.bounceRate },
  { key: 'duration', label: 'Time on page', unit: 'seconds', of: ({ reading }) => reading?.seconds },
  {
    key: 'scroll',
    label: 'Scroll depth',
    unit: 'percent',
    of: ({ reading }) => (reading?.scroll ? reading.scroll / 100 : null),
  },
]

const visitsWords: Partial<Record<DimensionName, string>> = { entry: 'Entrances', exit: 'Exits' }

const ofVisits = (dimension: DimensionName): readonly RowColumn[] => [
  {
    key: 'visits',
    label: visitsWords[dimension] ?? 'Visits',
    of: ({ figures }) => figures?.visits,
    onlyInFull: true,
  },
  { key: 'views', label: 'Views', of: ({ figures }) => figures?.views, onlyInFull: true },
  { key: 'bounceRate', label: 'Bounce rate', unit: 'percent', of: ({ figures }) => figures?.bounceRate },
  { key: 'duration', label: 'Visit duration', unit: 'seconds', of: ({ figures }) => figures?.duration },
]

/** Shorter where several panels share the page. */
const shortLabels: Partial<Record<SortableBy, string>> = {
  bounceRate: 'Bounce',
  duration: 'Time',
  scroll: 'Scroll',
}

function columnsOf(dimension: DimensionName): readonly RowColumn[] {
  if (dimension === 'page') return ofPages
  return wordsOf(dimension).of === 'session' ? ofVisits(dimension) : []
}

/** Returns the columns after visitors and views: a few in a panel, all of them in full. */
export function furtherColumns(
  dimension: DimensionName,
  isFull: boolean,
  bounceRule: BounceRule,
): FurtherColumn[] {
  return columnsOf(dimension)
    .filter(({ onlyInFull }) => isFull || !onlyInFull)
    .map(({ key, label, unit }) => ({
      key,
      label: isFull ? label : (shortLabels[key] ?? label),
      unit,
      ...(key === 'bounceRate' && { about: bounceRuleText(bounceRule) }),
      ...(!isFull && { needs: '28rem' as const }),
    }))
}

export const furtherNumbers = (dimension: DimensionName, row: PanelRow): Record<string, number | null> =>
  Object.fromEntries(columnsOf(dimension).map(({ key, of }) => [key, of(row) ?? null]))

/** Returns what the rows can be sorted by: the shown numbers. */
export const sortKeys = (dimension: DimensionName, hasGoal: boolean): SortableBy[] => [
  'value',
  'visitors',
  ...(hasGoal ? ['conversionRate' as const] : wordsOf(dimension).of === 'event' ? ['events' as const] : []),
  ...columnsOf(dimension).map(({ key }) => key),
]
