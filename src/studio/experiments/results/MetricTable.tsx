import type { DecisionRule, Experiment, MetricRole } from '#experiments/experiment'
import { ruleOf } from '#experiments/results/decision'
import { chanceText, estimateText, estimateWords, valueWords } from '#experiments/results/estimate-words'
import { pText } from '#experiments/results/p-value'
import type { EstimatedComparison, ExperimentReport, MetricReport } from '#experiments/results/report'
import type { EffectScale } from '#statistics/effect'
import { Badge, type Tone } from '#ui/Badge'
import { EmptyInterval, IntervalAxis, type IntervalTone } from '#ui/chart/IntervalChart'
import type { IntervalScale } from '#ui/chart/interval-scale'
import { number, percent } from '#ui/format'
import { Panel } from '#ui/page/Panel'
import type { VariantColours } from '#studio/flags/variant-colour'
import { VariantName } from '#studio/flags/VariantName'
import {
  effectOn,
  type ShownEffect,
  goalWords,
  judgedEffect,
  lossText,
  readingWords,
  scaleOf,
  unitOfEffects,
  whyNoEffect,
} from './effects'
import { IntervalTable } from './IntervalTable'
import { EffectInterval } from './EffectInterval'
import { MetricDetails } from './MetricDetails'
import { stacked } from './stacked-row'

export interface MetricTableProps {
  /** Of the project; without one nothing links into the studio. */
  slug?: string
  now: Date
  experiment: Experiment
  report: ExperimentReport
  colourOf: VariantColours
  byPhase: readonly (readonly MetricReport[])[]
  scale: EffectScale
  role: MetricRole
}

const titles: Record<MetricRole, { title: string; about: string }> = {
  primary: { title: 'Primary metrics', about: 'Decides the result' },
  secondary: { title: 'Secondary metrics', about: 'Explains the result' },
  guardrail: { title: 'Guardrail metrics', about: 'Must not get worse than its margin' },
}

/** The metrics of one role. The relative effects of all of them are drawn on one scale. */
export function MetricTable(props: MetricTableProps) {
  const { report, role, scale, experiment } = props
  const metrics = report.metrics.filter((metric) => metric.role === role)
  if (metrics.length === 0) return null
  const shared = scale === 'relative' ? scaleOf(metrics, scale) : undefined
  const { title, about } = titles[role]
  const { method } = experiment.analysis
  return (
    <Panel title={title} description={about} flush>
      <IntervalTable
        title={title}
        columns={[
          { name: 'Variant', className: 'w-24 md:w-40' },
          { name: 'Value', className: 'w-22 md:w-28' },
          { name: 'Difference', className: 'w-44 md:w-52' },
          {
            name: `${percent(experiment.analysis.level, 1)} ${intervalNames[ruleOf(experiment.analysis).rule]}`,
            axis: shared && <IntervalAxis scale={shared} unit="percent" />,
            className: `min-w-56 ${intervalPadding}`,
          },
          { name: method === 'bayesian' ? columnNames.chance : columnNames.p, className: 'w-28' },
          method === 'bayesian' && { name: columnNames.loss, className: 'w-28' },
          { name: 'Reading', className: 'w-32' },
        ]}
      >
        {metrics.map((metric) => (
          <MetricRows key={metric.id} {...props} metric={metric} drawnOn={shared} />
        ))}
      </IntervalTable>
    </Panel>
  )
}

const columnNames = { p: 'p-value', chance: 'Chance to win', loss: 'Expected loss' }

/** The last amount of the axis stands over the end of its line. */
const intervalPadding = 'pr-7!'

const intervalNames: Record<DecisionRule['rule'], string> = {
  'any-time': 'always-valid interval',
  'planned-size': 'interval',
  'whole-weeks': 'interval',
}

interface MetricRowsProps extends MetricTableProps {
  metric: MetricReport
  /** Undefined where each metric has a scale of its own, because their units differ. */
  drawnOn: IntervalScale | undefined
}

function MetricRows({ metric, drawnOn, ...props }: MetricRowsProps) {
  const { experiment, report, scale, colourOf } = props
  const own = drawnOn ?? scaleOf([metric], scale)
  const isBayesian = experiment.analysis.method === 'bayesian'
  const definition = experiment.metrics.find(({ id }) => id === metric.id)
  return (
    <tbody className={stacked.body}>
      <tr className={stacked.row}>
        <th scope="rowgroup" colSpan={3} className={`px-3 pt-3 pb-1 text-left font-semibold ${stacked.wide}`}>
          {metric.name}
          <span className="ml-2 text-xs font-normal text-muted">
            {goalWords[metric.goal]}
            {metric.role === 'guardrail' && `, margin ${metric.margin}%`}
          </span>
        </th>
        <td className={`px-3 pt-3 ${intervalPadding} ${stacked.interval}`}>
          <div className={drawnOn && stacked.label}>
            <IntervalAxis scale={own} unit={unitOfEffects(metric, scale)} />
          </div>
        </td>
      </tr>
      {metric.values.map(({ variant, units, value }, i) => (
        <tr key={variant} className={`*:px-3 *:py-1.5 *:align-middle ${stacked.row}`}>
          <th scope="row" className={`max-w-40 text-left font-normal ${stacked.name}`}>
            <VariantName name={variant} colour={colourOf(variant)} small />
          </th>
          <td className={`whitespace-nowrap tabular-nums ${stacked.value}`}>
            {valueWords(value, metric)}
            <span className="block text-xs text-muted">of {number(units)}</span>
          </td>
          {i === 0 ? (
            <BaselineCells scale={own} />
          ) : (
            <ComparedCells
              metric={metric}
              comparison={metric.comparisons.find((one) => one.variant === variant)}
              {...{ experiment, scale, own }}
            />
          )}
        </tr>
      ))}
      <tr className={stacked.row}>
        <td colSpan={isBayesian ? 7 : 6} className={`px-3 pb-3 ${stacked.wide}`}>
          <MetricDetails
            slug={props.slug}
            colourOf={colourOf}
            now={props.now}
            {...{ experiment, report, metric, definition, scale }}
            byPhase={props.byPhase}
          />
        </td>
      </tr>
    </tbody>
  )
}

function BaselineCells({ scale }: { scale: IntervalScale }) {
  return (
    <>
      <td className={`text-muted ${stacked.reading}`}>Control</td>
      <td className={`${intervalPadding} ${stacked.hidden}`}>
        <EmptyInterval scale={scale} />
      </td>
    </>
  )
}

interface ComparedCellsProps {
  metric: MetricReport
  comparison: MetricReport['comparisons'][number] | undefined
  experiment: Experiment
  scale: EffectScale
  own: IntervalScale
}

function ComparedCells({ comparison, ...props }: ComparedCellsProps) {
  const { experiment, scale } = props
  const { method, minimumUnits } = experiment.analysis
  const effect = comparison?.state === 'estimated' ? effectOn(comparison, scale) : undefined
  if (comparison?.state === 'estimated' && effect)
    return <EstimateCells {...props} comparison={comparison} effect={effect} />
  return (
    <>
      <td className={`text-muted ${stacked.difference}`}>{whyNoEffect(comparison, minimumUnits)}</td>
      <td className={`${intervalPadding} ${stacked.hidden}`}>
        <EmptyInterval scale={props.own} />
      </td>
      <td colSpan={method === 'bayesian' ? 3 : 2} className={`text-muted ${stacked.hidden}`}>
        –
      </td>
    </>
  )
}

const badgeTones: Record<IntervalTone, Tone> = { good: 'success', bad: 'danger', unclear: 'neutral' }

function EstimateCells({
  metric,
  comparison,
  effect,
  experiment,
  scale,
  own,
}: Omit<ComparedCellsProps, 'comparison'> & {
  comparison: EstimatedComparison
  effect: ShownEffect
}) {
  const { label, tone } = readingWords[comparison.reading]
  const { method, level } = experiment.analysis
  const { main, unadjusted, varianceReduction } = effect
  const words = estimateWords(main, metric, scale)
  return (
    <>
      <td className={`tabular-nums ${stacked.difference}`}>
        <span className="font-semibold">{words.value}</span>{' '}
        <span className="text-muted">
          ({words.low} to {words.high})
        </span>
        {unadjusted && (
          <span className="block text-xs text-muted">
            Unadjusted {estimateText(unadjusted, metric, { scale })}; {gainText(varianceReduction ?? 0)}
          </span>
        )}
      </td>
      <td className={`${intervalPadding} ${stacked.interval}`}>
        <EffectInterval {...{ metric, comparison, effect, level, scale }} drawnOn={own} />
      </td>
      <SurenessCells
        comparison={comparison}
        loss={main.loss}
        isBayesian={method === 'bayesian'}
        {...{ metric, scale }}
      />
      <td className={stacked.reading}>
        <Badge tone={badgeTones[tone]}>{label}</Badge>
      </td>
    </>
  )
}

function SurenessCells({
  comparison,
  loss,
  isBayesian,
  metric,
  scale,
}: {
  comparison: EstimatedComparison
  loss: number | undefined
  isBayesian: boolean
  metric: MetricReport
  scale: EffectScale
}) {
  const { chance, p, adjustedP } = judgedEffect(comparison)
  if (isBayesian)
    return (
      <>
        <td className={`tabular-nums ${stacked.sureness}`}>
          <span className={stacked.label}>{columnNames.chance} </span>
          {chance === undefined ? '–' : chanceText(chance)}
        </td>
        <td className={`tabular-nums ${stacked.sureness}`}>
          <span className={stacked.label}>{columnNames.loss} </span>
          {loss === undefined ? '–' : lossText(loss, metric, scale)}
        </td>
      </>
    )
  return (
    <td className={`tabular-nums ${stacked.sureness}`}>
      <span className={stacked.label}>{columnNames.p} </span>
      {p === undefined ? '–' : pText(adjustedP ?? p)}
      {p !== undefined && adjustedP !== undefined && adjustedP !== p && (
        <span className="block text-xs text-muted">{pText(p)} uncorrected</span>
      )}
    </td>
  )
}

/** Behaviour that says nothing about the metric can cost a little. */
const gainText = (gain: number): string =>
  gain < 0.005 ? 'CUPED gains nothing' : `CUPED gains ${percent(gain, 0)} variance`
