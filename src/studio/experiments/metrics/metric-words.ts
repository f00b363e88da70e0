import { plural } from '#ui/format'
import { eventLabel, propertyLabel } from '#events/taxonomy'
import type { MeasuredMetric } from '#insights/kinds/experiment/schema'
import type { EventMatcher } from '#insights/query-fields'

type Amount = Extract<MeasuredMetric, { type: 'total' }>['amount']

const eventWords = ({ event, filter }: EventMatcher): string =>
  `${event === null ? 'any event' : `“${eventLabel(event)}”`}${filter ? ' (filtered)' : ''}`

const amountWords = ({ happening, property }: Amount): string =>
  property === undefined
    ? `number of ${eventWords(happening)}`
    : `sum of “${propertyLabel(property)}” of ${eventWords(happening)}`

const valueLabels = { mean: 'Mean', min: 'Smallest', max: 'Largest' }

function measuredWords(measured: MeasuredMetric): string {
  switch (measured.type) {
    case 'conversion':
      return `Share with ${eventWords(measured.happening)}`
    case 'total':
      return capitalized(amountWords(measured.amount))
    case 'value':
      return `${valueLabels[measured.of]} “${propertyLabel(measured.property)}” of ${eventWords(measured.happening)}`
    case 'ratio':
      return `${capitalized(amountWords(measured.numerator))}, divided by ${amountWords(measured.denominator)}`
    case 'funnel':
      return `Share with ${measured.steps.map(eventWords).join(', then ')}`
    default:
      return `${Number((measured.level * 100).toFixed(1))}th percentile of “${propertyLabel(measured.property)}” of ${eventWords(measured.happening)}`
  }
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function hoursInWords(hours: number): string {
  const [amount, unit] = hours % 24 === 0 ? [hours / 24, 'day'] : [Number(hours.toFixed(2)), 'hour']
  return plural(amount, unit)
}

/** The measurement of a metric and its time window, in words: "Share with “Ordered”, within 7 days". */
export function metricWords(measured: MeasuredMetric): string {
  const { windowHours, delayHours } = measured
  return [
    measuredWords(measured),
    delayHours > 0 && `from ${hoursInWords(delayHours)} after the exposure`,
    windowHours !== undefined && `within ${hoursInWords(windowHours)}`,
  ]
    .filter(Boolean)
    .join(', ')
}
