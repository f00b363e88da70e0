import { eventLabel } from '#events/taxonomy'
import { mathWords } from '../measures/maths'
import type { TrendQuery } from '../kinds/trend/schema'
import type { FunnelQuery } from '../kinds/funnel/schema'
import type { RetentionQuery } from '../kinds/retention/schema'
import type { PathsQuery } from '../kinds/paths/schema'
import type { LifecycleQuery } from '../kinds/lifecycle/schema'
import type { StickinessQuery } from '../kinds/stickiness/schema'
import type { BreakdownQuery } from '../kinds/breakdown/schema'
import { dimensionWords } from './dimension-words'
import type { EventMatcher } from '../query-fields'

const nameOf = ({ event, label }: EventMatcher): string =>
  label ?? (event === null ? 'anything' : eventLabel(event))

const capital = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}`

/** "A and B", "A, B and 3 more". */
function listed(names: readonly string[]): string {
  const [first = '', second, third, ...more] = names
  if (second === undefined) return first
  if (third === undefined) return `${first} and ${second}`
  return more.length === 0
    ? `${first}, ${second} and ${third}`
    : `${first}, ${second} and ${more.length + 1} more`
}

const titles = {
  trend: ({ series, formulas }: TrendQuery) =>
    listed([
      ...series
        .filter(({ isHidden }) => !isHidden)
        .map((one) =>
          one.label || one.measure.math === 'total'
            ? nameOf(one)
            : `${nameOf(one)}: ${mathWords(one.measure.math).label.toLowerCase()}`,
        ),
      ...formulas.map(({ label, text }) => label ?? text),
    ]),
  funnel: ({ steps }: FunnelQuery) => steps.map(nameOf).join(' → '),
  correlation: ({ steps }: FunnelQuery) => `Correlation: ${steps.map(nameOf).join(' → ')}`,
  retention: ({ target, interval }: RetentionQuery) => `Retention by the ${interval} after ${nameOf(target)}`,
  paths: ({ of, start, end }: PathsQuery) =>
    `Paths of ${of}${start ? ` from ${start}` : ''}${end ? ` to ${end}` : ''}`,
  lifecycle: ({ happening }: LifecycleQuery) => `Lifecycle: ${nameOf(happening)}`,
  stickiness: ({ series }: StickinessQuery) => `Stickiness: ${listed(series.map(nameOf))}`,
  breakdown: ({ dimensions }: BreakdownQuery) =>
    `Visitors by ${listed(dimensions.map((name) => dimensionWords[name].label.toLowerCase()))}`,
  totals: () => 'Visitors, visits and conversions',
}

/** Returns a title for a question without a name. */
export function titleFor(query: object): string {
  const kind = 'kind' in query && typeof query.kind === 'string' ? query.kind : ''
  if (!isTitled(kind)) return 'Answer'
  // a question says of itself which kind it is, and was read by that kind
  const title = (titles[kind] as (insightQuery: object) => string)(query)
  return capital(title).slice(0, 80)
}

const isTitled = (kind: string): kind is keyof typeof titles => Object.hasOwn(titles, kind)
