import type { ExperimentCardAnswer } from '#dashboards/dashboards'
import { type Experiment, outcomeInWords, statusOf } from '#experiments/experiment'
import { estimateWords, valueWords } from '#experiments/results/estimate-words'
import type { ExperimentReport, MetricReport } from '#experiments/results/report'
import { IntervalAxis } from '#ui/chart/IntervalChart'
import type { IntervalScale } from '#ui/chart/interval-scale'
import { date, number } from '#ui/format'
import { LinkButton } from '#ui/LinkButton'
import { Notice } from '#ui/page/Notice'
import { ExperimentStatusBadge } from '#studio/parts/ExperimentStatusBadge'
import { EffectInterval } from '#studio/experiments/results/EffectInterval'
import { effectOn, goalWords, scaleOf, unitOfEffects, whyNoEffect } from '#studio/experiments/results/effects'
import { ResultAge } from '#studio/experiments/results/ResultAge'
import { verdictTones } from '#studio/experiments/results/verdict-tones'
import { variantColours, type VariantColours } from '#studio/flags/variant-colour'
import { VariantName } from '#studio/flags/VariantName'
import { clockOf } from '#studio/parts/RelativeTime'

interface ExperimentCardProps {
  answer: ExperimentCardAnswer
  timeZone: string
  /** The page of the experiment; none for people outside. */
  href: string | undefined
}

/** The last known result of an experiment: the advice, and the effects on one metric. */
export function ExperimentCard({ answer, timeZone, href }: ExperimentCardProps) {
  const { experiment, result, metric: chosen } = answer
  const { conclusion } = experiment
  const { verdict, sentence, report } = result
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-muted">
        <ExperimentStatusBadge status={statusOf(experiment)} />
        <Dates experiment={experiment} timeZone={timeZone} />
        {conclusion && (
          <>
            <span aria-hidden>·</span>
            <span>{outcomeInWords(conclusion)}</span>
          </>
        )}
      </div>
      <Notice
        tone={verdictTones[verdict.advice]}
        title={sentence}
        action={
          !report &&
          href !== undefined && (
            <LinkButton href={href} size="sm">
              Open experiment
            </LinkButton>
          )
        }
      />
      {report && (
        <Effects {...{ report, chosen, experiment }} colourOf={variantColours(result.flagVariants)} />
      )}
      {report && <ResultAge result={result} id={experiment.id} clock={clockOf({ timeZone })} />}
    </div>
  )
}

/** An experiment counts from its start, whatever the date range of the dashboard. */
function Dates({
  experiment: { startedAt, endedAt },
  timeZone,
}: {
  experiment: Experiment
  timeZone: string
}) {
  if (!startedAt) return null
  const start = date(startedAt, timeZone)
  return <span>{endedAt ? `${start} to ${date(endedAt, timeZone)}` : `Since ${start}`}</span>
}

interface EffectsProps extends Pick<ExperimentCardAnswer, 'experiment'> {
  report: ExperimentReport
  colourOf: VariantColours
  chosen: string | undefined
}

/** The variants with the effects of each, one below the other, so that they fit into any width. */
function Effects({ report, chosen, experiment, colourOf }: EffectsProps) {
  const metric = metricOf(report, chosen)
  const drawnOn = metric && scaleOf([metric], 'relative')
  return (
    <div>
      {chosen !== undefined && !metric && (
        <p className="mb-2 text-muted">The metric of this card was removed from the experiment.</p>
      )}
      {metric && (
        <h3 className="font-semibold">
          {metric.name}
          <span className="ml-2 text-xs font-normal text-muted">{goalWords[metric.goal]}</span>
        </h3>
      )}
      <ul aria-label={metric?.name ?? 'Variants'} className="mt-1 flex flex-col divide-y divide-line">
        {report.variants.map(({ key, units }) => (
          <li key={key} className="flex flex-col gap-1 py-1.5">
            <div className="flex flex-wrap items-baseline gap-x-3 tabular-nums">
              <VariantName name={key} colour={colourOf(key)} small />
              <span className="text-xs text-muted">{number(units)} exposed</span>
              {metric && <EffectInWords {...{ metric, experiment }} variant={key} />}
            </div>
            {metric && drawnOn && <DrawnEffect {...{ metric, experiment, drawnOn }} variant={key} />}
          </li>
        ))}
      </ul>
      {drawnOn && (
        <div className={axisPadding}>
          <IntervalAxis scale={drawnOn} unit={unitOfEffects(metric, 'relative')} />
        </div>
      )}
    </div>
  )
}

/** The amounts at the ends of the axis stand over the ends of its line. */
const axisPadding = 'px-4'

/** A metric that was chosen is never replaced by another. */
function metricOf({ metrics }: ExperimentReport, chosen: string | undefined): MetricReport | undefined {
  if (chosen !== undefined) return metrics.find(({ id }) => id === chosen)
  return metrics.find(({ role }) => role === 'primary') ?? metrics[0]
}

interface VariantEffectProps extends Pick<ExperimentCardAnswer, 'experiment'> {
  metric: MetricReport
  variant: string
}

function EffectInWords({ metric, variant, experiment }: VariantEffectProps) {
  const { values, comparisons } = metric
  const value = values.find((one) => one.variant === variant)
  const comparison = comparisons.find((one) => one.variant === variant)
  const effect = comparison?.state === 'estimated' ? effectOn(comparison, 'relative') : undefined
  const words = effect && estimateWords(effect.main, metric, 'relative')
  return (
    <span className="ml-auto flex flex-wrap justify-end gap-x-3">
      <span className="text-muted">{valueWords(value?.value ?? null, metric)}</span>
      {variant === values[0]?.variant ? (
        <span className="text-muted">Control</span>
      ) : words ? (
        <span>
          <span className="font-semibold">{words.value}</span>{' '}
          <span className="text-muted">
            ({words.low} to {words.high})
          </span>
        </span>
      ) : (
        <span className="text-muted">{whyNoEffect(comparison, experiment.analysis.minimumUnits)}</span>
      )}
    </span>
  )
}

function DrawnEffect({
  metric,
  variant,
  experiment,
  drawnOn,
}: VariantEffectProps & { drawnOn: IntervalScale }) {
  const comparison = metric.comparisons.find((one) => one.variant === variant)
  const effect = comparison?.state === 'estimated' && effectOn(comparison, 'relative')
  if (!effect) return null
  return (
    <div className={axisPadding}>
      <EffectInterval
        {...{ metric, comparison, drawnOn }}
        effect={{ ...effect, unadjusted: undefined }}
        level={experiment.analysis.level}
        scale="relative"
      />
    </div>
  )
}
