import type { ReactNode } from 'react'
import type { Experiment, ExperimentMetric } from '#experiments/experiment'
import { estimateText, valueWords } from '#experiments/results/estimate-words'
import type { ExperimentReport, MetricReport } from '#experiments/results/report'
import type { EffectScale } from '#statistics/effect'
import { TextLink } from '#ui/Anchor'
import { number, percent, plural } from '#ui/format'
import type { VariantColours } from '#studio/flags/variant-colour'
import { VariantName } from '#studio/flags/VariantName'
import { paths } from '#studio/paths'
import { effectOn } from './effects'
import { insightOf } from './metric-insight'

interface MetricDetailsProps {
  slug: string | undefined
  now: Date
  experiment: Experiment
  report: ExperimentReport
  metric: MetricReport
  /** The metrics of each phase by itself. */
  byPhase: readonly (readonly MetricReport[])[]
  scale: EffectScale
  definition: ExperimentMetric | undefined
  colourOf: VariantColours
}

/** The counts that a metric’s numbers are computed from. */
export function MetricDetails({
  slug,
  now,
  experiment,
  report,
  metric,
  definition,
  byPhase,
  scale,
  colourOf,
}: MetricDetailsProps) {
  const insight = definition && insightOf(definition, experiment, now)
  return (
    <details className="print:hidden">
      <summary className="w-fit cursor-pointer rounded-xs text-xs text-muted hover:text-ink">
        Details of {metric.name}
      </summary>
      <div className="mt-2 flex flex-col gap-4 rounded-md bg-sunken p-3">
        {definition && <p className="text-xs text-muted">{measuredWords(definition.measured)}</p>}
        {metric.values.some(({ steps }) => steps.length > 0) && (
          <FunnelSteps {...{ metric, definition, colourOf }} />
        )}
        {byPhase.length > 1 && <Phases {...{ report, metric, byPhase, scale, colourOf }} />}
        <Limits metric={metric} />
        {slug !== undefined && insight && (
          <p className="text-xs text-muted">
            <TextLink href={paths.newInsight(slug, { q: JSON.stringify(insight) })}>Open as insight</TextLink>{' '}
            An insight counts every such event of this time by the flag’s value on the event: also before the
            exposure, outside the metric’s window, and of people who saw several variants. So its numbers may
            differ.
          </p>
        )}
      </div>
    </details>
  )
}

function SmallTable({ caption, head, rows }: { caption: string; head: ReactNode[]; rows: ReactNode[][] }) {
  return (
    <table className="block w-fit max-w-full border-collapse overflow-x-auto text-xs">
      <caption className="pb-1 text-left font-medium">{caption}</caption>
      <thead>
        <tr className="text-muted *:py-0.5 *:pr-6 *:text-left *:font-medium">
          {head.map((one, i) => (
            <th key={i} scope="col">
              {one}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first, ...cells], i) => (
          <tr key={i} className="*:py-0.5 *:pr-6 *:text-left *:tabular-nums">
            <th scope="row" className="font-normal">
              {first}
            </th>
            {cells.map((cell, c) => (
              <td key={c}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const variantHeads = ({ metric, colourOf }: Pick<MetricDetailsProps, 'metric' | 'colourOf'>): ReactNode[] =>
  metric.values.map(({ variant }) => <VariantName key={variant} name={variant} colour={colourOf(variant)} />)

function FunnelSteps({
  metric,
  definition,
  colourOf,
}: Pick<MetricDetailsProps, 'metric' | 'definition' | 'colourOf'>) {
  const steps = definition?.measured.type === 'funnel' ? definition.measured.steps : []
  const count = Math.max(...metric.values.map((value) => value.steps.length))
  return (
    <SmallTable
      caption="Steps, as shares of all exposed units"
      head={['Step', ...variantHeads({ metric, colourOf })]}
      rows={Array.from({ length: count }, (_, step) => [
        `${step + 1}. ${steps[step]?.label ?? steps[step]?.event ?? 'Any event'}`,
        ...metric.values.map((value) => {
          const share = value.steps[step]
          return share === undefined ? '–' : valueWords(share, { shape: 'share' })
        }),
      ])}
    />
  )
}

function Phases({
  report: { phases },
  metric,
  byPhase,
  scale,
  colourOf,
}: Pick<MetricDetailsProps, 'report' | 'metric' | 'byPhase' | 'scale' | 'colourOf'>) {
  return (
    <SmallTable
      caption="Phases: a change of the flag’s weights or conditions begins one. Effects are estimated within each, then pooled."
      head={['Phase', ...variantHeads({ metric, colourOf })]}
      rows={phases.map(({ weights }, i) => {
        const own = byPhase[i]?.find(({ id }) => id === metric.id)
        return [
          `${i + 1}`,
          ...metric.values.map(({ variant }) => phaseText(own, variant, weights[variant] ?? 0, scale)),
        ]
      })}
    />
  )
}

/** The units and the weight of a variant in a phase, its value, and its difference to the control. */
function phaseText(
  own: MetricReport | undefined,
  variant: string,
  weight: number,
  scale: EffectScale,
): string {
  const value = own?.values.find((one) => one.variant === variant)
  if (!own || !value) return '–'
  const comparison = own.comparisons.find((one) => one.variant === variant)
  const effect = comparison?.state === 'estimated' ? effectOn(comparison, scale)?.main : undefined
  return [
    `${valueWords(value.value, own, value.units)} (weight ${weight}%)`,
    ...(effect ? [estimateText(effect, own, { scale })] : []),
  ].join(', ')
}

function Limits({ metric: { limits } }: Pick<MetricDetailsProps, 'metric'>) {
  const bounded = limits.filter(({ low, high }) => low !== null || high !== null)
  if (bounded.length === 0) return null
  return (
    <p className="text-xs text-muted">
      {bounded
        .map(({ low, high }) =>
          [low !== null && `below ${number(low)}`, high !== null && `above ${number(high)}`]
            .filter(Boolean)
            .join(' or '),
        )
        .map((words) => `Values of a unit ${words} are replaced by that limit (winsorized).`)
        .join(' ')}
    </p>
  )
}

const eventWords = ({ event, label }: { event: string | null; label?: string | undefined }): string =>
  label ?? (event === null ? 'any event' : `“${event}”`)

function measuredWords(measured: ExperimentMetric['measured']): string {
  return `${whatWords(measured)}, ${windowWords(measured)}.`
}

function whatWords(measured: ExperimentMetric['measured']): string {
  if (measured.type === 'conversion') return `Share of exposed units with ${eventWords(measured.happening)}`
  if (measured.type === 'total') return `${amountWords(measured.amount)} per exposed unit`
  if (measured.type === 'value')
    return `${aggregateWords[measured.of]} of ${measured.property} of ${eventWords(measured.happening)}, for units that have one`
  if (measured.type === 'ratio')
    return `${amountWords(measured.numerator)} divided by ${amountWords(measured.denominator)}`
  if (measured.type === 'funnel')
    return `Share of exposed units that went through ${measured.steps.map(eventWords).join(', then ')}`
  return `The ${percent(measured.level)} quantile of ${measured.property} over all ${eventWords(measured.happening)}`
}

const aggregateWords = { mean: 'Mean', min: 'Smallest value', max: 'Largest value' }

const amountWords = ({
  happening,
  property,
}: Extract<ExperimentMetric['measured'], { type: 'total' }>['amount']): string =>
  property === undefined
    ? `Number of ${eventWords(happening)}`
    : `Sum of ${property} of ${eventWords(happening)}`

function windowWords({ windowHours, delayHours, onlyComplete }: ExperimentMetric['measured']): string {
  const from = delayHours > 0 ? `from ${hoursWords(delayHours)} after the exposure` : 'from the exposure'
  const until = windowHours === undefined ? 'until the end' : `for ${hoursWords(windowHours)}`
  return `${from} ${until}${onlyComplete ? ', only units whose window is over' : ''}`
}

function hoursWords(hours: number): string {
  const [count, unit] = hours >= 48 && hours % 24 === 0 ? [hours / 24, 'day'] : [hours, 'hour']
  return plural(count, unit)
}
