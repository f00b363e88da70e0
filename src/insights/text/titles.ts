import { eventLabel } from '#events/taxonomy'
import { mathWords } from '../measures/maths'
import type { TrendQuestion } from '../kinds/trend/question'
import type { FunnelQuestion } from '../kinds/funnel/question'
import type { RetentionQuestion } from '../kinds/retention/question'
import type { PathsQuestion } from '../kinds/paths/question'
import type { LifecycleQuestion } from '../kinds/lifecycle/question'
import type { StickinessQuestion } from '../kinds/stickiness/question'
import type { BreakdownQuestion } from '../kinds/breakdown/question'
import { dimensionWords } from './dimension-words'
import type { EventMatcher } from '../question'

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
  trend: ({ series, formulas }: TrendQuestion) =>
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
  funnel: ({ steps }: FunnelQuestion) => steps.map(nameOf).join(' → '),
  correlation: ({ steps }: FunnelQuestion) => `Correlation: ${steps.map(nameOf).join(' → ')}`,
  retention: ({ target, interval }: RetentionQuestion) =>
    `Retention by the ${interval} after ${nameOf(target)}`,
  paths: ({ of, start, end }: PathsQuestion) =>
    `Paths of ${of}${start ? ` from ${start}` : ''}${end ? ` to ${end}` : ''}`,
  lifecycle: ({ happening }: LifecycleQuestion) => `Lifecycle: ${nameOf(happening)}`,
  stickiness: ({ series }: StickinessQuestion) => `Stickiness: ${listed(series.map(nameOf))}`,
  breakdown: ({ dimensions }: BreakdownQuestion) =>
    `Visitors by ${listed(dimensions.map((name) => dimensionWords[name].label.toLowerCase()))}`,
  totals: () => 'Visitors, visits and conversions',
}

/** Returns a title for a question without a name. */
export function titleFor(question: object): string {
  const kind = 'kind' in question && typeof question.kind === 'string' ? question.kind : ''
  if (!isTitled(kind)) return 'Answer'
  // a question says of itself which kind it is, and was read by that kind
  const title = (titles[kind] as (question: object) => string)(question)
  return capital(title).slice(0, 80)
}

const isTitled = (kind: string): kind is keyof typeof titles => Object.hasOwn(titles, kind)
