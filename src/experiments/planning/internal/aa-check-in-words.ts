import type { AaCheckedMetric, AaCheckResult, NotCheckedReason } from '../aa-check'

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`

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
  const found = `${count} of ${times.toLocaleString('en')} random divisions showed a difference (${percent(rate)})`
  if (finding === 'too-many')
    return `${found}, more than the promised ${percent(promised)}. Bound its values, or count by person.`
  if (finding === 'perhaps-more')
    return `${found}, perhaps more than the promised ${percent(promised)}. Check again with other divisions.`
  return rate <= promised
    ? `${found}, no more than the promised ${percent(promised)}.`
    : `${found}, within chance of the promised ${percent(promised)}.`
}

function powerInWords({ power, units, varianceReduction }: AaCheckedMetric, smallestEffect: number): string {
  const found = `With ${units.toLocaleString('en')} units, an effect of ${percent(smallestEffect)} is found in ${percent(power.rate)} of them.`
  return varianceReduction === null || varianceReduction < 0.005
    ? found
    : `${found} CUPED removes ${percent(varianceReduction)} of the variance.`
}
