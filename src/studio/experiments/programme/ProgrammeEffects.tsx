import type {
  ExperimentProgramme,
  KnownProgrammeEffect,
  ProgrammeExperiment,
  ProgrammeMetric,
  UnknownEffectReason,
} from '#experiments/programme/experiment-programme'
import { outcomeInWords } from '#experiments/experiment'
import { estimateText, estimateWords } from '#experiments/results/estimate-words'
import { Anchor } from '#ui/Anchor'
import { Badge, type Tone } from '#ui/Badge'
import { EmptyInterval, IntervalAxis, IntervalChart, type IntervalTone } from '#ui/chart/IntervalChart'
import { type IntervalScale, intervalScale } from '#ui/chart/interval-scale'
import { percent } from '#ui/format'
import { Panel } from '#ui/page/Panel'
import { CalendarDate, type Clock } from '#studio/parts/RelativeTime'
import { paths } from '#studio/paths'
import { IntervalTable } from '../results/IntervalTable'
import { goalWords, readingWords } from '../results/effects'
import { stacked } from '../results/stacked-row'

interface ProgrammeEffectsProps {
  slug: string
  clock: Clock
  programme: ExperimentProgramme
  metric: ProgrammeMetric
}

/** The effect of each experiment on one metric, all drawn on one scale. */
export function ProgrammeEffects({ slug, clock, programme, metric }: ProgrammeEffectsProps) {
  const { experiments } = programme
  const estimates = experiments.flatMap(({ effect }) =>
    effect.state === 'known' ? [effect.measured, ...(effect.shrunk ? [effect.shrunk] : [])] : [],
  )
  const scale = intervalScale(estimates, [], 'percent')
  const isShrunk = experiments.some(({ effect }) => effect.state === 'known' && effect.shrunk)
  const firstKnown = experiments.findIndex(({ effect }) => effect.state === 'known')
  const title = `Effects on ${metric.name}`
  return (
    <Panel
      title={title}
      description={`Relative to the control, ${goalWords[metric.goal]}: of the shipped variant, otherwise of the one that looks best.`}
      footer={isShrunk ? shrinkingWords : tooFewWords}
      flush
    >
      <IntervalTable
        title={title}
        columns={[
          { name: 'Experiment', className: 'w-56' },
          { name: columnNames.measured, className: 'w-48' },
          {
            name: 'Interval',
            axis: <IntervalAxis scale={scale} unit="percent" />,
            className: `min-w-48 ${intervalPadding}`,
          },
          { name: columnNames.shrunk, className: 'w-48' },
          { name: 'Reading', className: 'w-32' },
        ]}
      >
        {experiments.map((experiment, index) => (
          <ExperimentEffect
            key={experiment.id}
            {...{ slug, clock, experiment, metric, scale }}
            hasAxis={index === firstKnown}
          />
        ))}
      </IntervalTable>
    </Panel>
  )
}

const columnNames = { measured: 'As measured', shrunk: 'Shrunk' }

const shrinkingWords =
  'Variants are shipped because they looked good, and part of that is luck. The shrunk effect, the thin line, is what is expected to stay, by the effects of all variants of the period.'

const tooFewWords = 'Effects are shrunk once three variants of the period have been measured.'

/** The last amount of the axis stands over the end of its line. */
const intervalPadding = 'pr-7!'

/** The reading of an experiment that has ended: it does not become clear. */
const unclearAtEnd = 'Not clear'

const badgeTones: Record<IntervalTone, Tone> = { good: 'success', bad: 'danger', unclear: 'neutral' }

interface ExperimentEffectProps {
  slug: string
  clock: Clock
  experiment: ProgrammeExperiment
  metric: ProgrammeMetric
  scale: IntervalScale
  /** Whether its row shows the amounts, where the table has no head. */
  hasAxis: boolean
}

function ExperimentEffect({ slug, clock, experiment, metric, scale, hasAxis }: ExperimentEffectProps) {
  const { id, name, conclusion, endedAt, effect } = experiment
  return (
    <tbody className={stacked.body}>
      <tr className={`*:px-3 *:py-2 *:align-middle ${stacked.row}`}>
        <th scope="row" className={`text-left font-normal ${stacked.name}`}>
          <Anchor href={paths.experiment(slug, id)} className="font-medium wrap-anywhere hover:underline">
            {name}
          </Anchor>
          <span className="block text-xs text-muted">
            {outcomeInWords(conclusion)} · <CalendarDate at={endedAt} clock={clock} />
          </span>
        </th>
        {effect.state === 'known' ? (
          <KnownCells {...{ effect, metric, scale, hasAxis, name }} />
        ) : (
          <>
            <td className={`text-muted ${stacked.difference}`}>{reasonWords[effect.reason]}</td>
            <td className={`${intervalPadding} ${stacked.hidden}`}>
              <EmptyInterval scale={scale} />
            </td>
            <td colSpan={2} className={`text-muted ${stacked.hidden}`}>
              –
            </td>
          </>
        )}
      </tr>
    </tbody>
  )
}

interface KnownCellsProps extends Pick<ExperimentEffectProps, 'metric' | 'scale' | 'hasAxis'> {
  effect: KnownProgrammeEffect
  /** Of the experiment. */
  name: string
}

function KnownCells({ effect, metric, scale, hasAxis, name }: KnownCellsProps) {
  const { measured, shrunk, variant, level, reading } = effect
  const { label, tone } = readingWords[reading]
  const words = estimateWords(measured, metric, 'relative')
  return (
    <>
      <td className={`tabular-nums ${stacked.difference}`}>
        <span className="font-semibold">{words.value}</span>{' '}
        <span className="text-muted">
          ({words.low} to {words.high})
        </span>
        <span className="block text-xs text-muted">
          “{variant}”{level !== 0.95 && `, ${percent(level, 1)} interval`}
        </span>
      </td>
      <td className={`${intervalPadding} ${stacked.interval}`}>
        {hasAxis && (
          <div className={stacked.label}>
            <IntervalAxis scale={scale} unit="percent" />
          </div>
        )}
        <IntervalChart
          label={`${name}, ${variant}: ${estimateText(measured, metric, { scale: 'relative', level })}`}
          interval={measured}
          other={shrunk}
          scale={scale}
          tone={tone}
        />
      </td>
      <td className={`text-muted tabular-nums ${stacked.difference}`}>
        <span className={stacked.label}>{columnNames.shrunk} </span>
        {shrunk ? estimateText(shrunk, metric, { scale: 'relative' }) : '–'}
      </td>
      <td className={stacked.reading}>
        <Badge tone={badgeTones[tone]}>{reading === 'unclear' ? unclearAtEnd : label}</Badge>
      </td>
    </>
  )
}

/** Why there is no effect. */
const reasonWords: Record<UnknownEffectReason, string> = {
  'no-metric': 'Without this metric',
  'no-flag': 'Its flag is gone',
  'no-answer': 'Open it to see why it cannot be computed',
  pending: 'Being computed',
  split: 'The variants did not get their shares of people',
  'no-relative': 'The control’s value is 0, or hardly known',
  'too-few-units': 'A variant has too few units',
  'too-few-conversions': 'Fewer than 5 conversions',
  'no-variance': 'All values are the same',
  'zero-denominator': 'The denominator is 0',
}
