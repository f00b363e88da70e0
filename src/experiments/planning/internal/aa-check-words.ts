import { withDecimals } from '#ui/decimals'
import { number, percent } from '#ui/format'
import type { AaCheckedMetric, AaCheckResult, NotCheckedReason } from '../aa-check'

/** Rates are compared with each other. */
const rateText = (rate: number): string => withDecimals(rate, 1, 'percent')

const reasons: Readonly<Record<NotCheckedReason, string>> = {
  quantile: 'a quantile has no value of a single unit',
  'too-few-units': 'the history has too few units',
  'no-value': 'nothing of it happened in the history',
  'no-variance': 'every unit had the same value',
}

/** Returns the finding about each metric as a sentence. */
export const aaCheckInWords = (
  { metrics, times, promised }: AaCheckResult,
  smallestEffect: number,
): string[] =>
  metrics.map((metric) => {
    if (metric.state === 'not-checked') return `“${metric.name}” was not checked: ${reasons[metric.reason]}.`
    return `“${metric.name}”: ${findingInWords(metric, times, promised)} ${powerInWords(metric, smallestEffect)}`
  })

function findingInWords(
  { falsePositives, finding }: AaCheckedMetric,
  times: number,
  promised: number,
): string {
  const { count, rate } = falsePositives
  const found = `${count} of ${number(times)} random divisions showed a difference (${rateText(rate)})`
  if (finding === 'too-many')
    return `${found}, more than the promised ${rateText(promised)}. Bound its values, or count by person.`
  if (finding === 'perhaps-more')
    return `${found}, perhaps more than the promised ${rateText(promised)}. Check again with other divisions.`
  return rate <= promised
    ? `${found}, no more than the promised ${rateText(promised)}.`
    : `${found}, within chance of the promised ${rateText(promised)}.`
}

function powerInWords({ power, units, varianceReduction }: AaCheckedMetric, smallestEffect: number): string {
  const found = `With ${number(units)} units, an effect of ${percent(smallestEffect, 1)} is found in ${rateText(power.rate)} of them.`
  return varianceReduction === null || varianceReduction < 0.005
    ? found
    : `${found} CUPED removes ${percent(varianceReduction, 1)} of the variance.`
}
