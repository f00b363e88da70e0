import type {
  ExperimentProgramme,
  ProgrammeEstimate,
  ProgrammeMetric,
} from '#experiments/programme/experiment-programme'
import { estimateWords } from '#experiments/results/estimate-words'
import { Stat, Stats } from '#ui/chart/Stat'
import { number, percent } from '#ui/format'

/** The numbers of experiments that ended and won, and the worth of the shipped variants together. */
export function ProgrammeFigures({ programme }: { programme: ExperimentProgramme }) {
  const { ended, outcomes, winRate, metric, shippedEffect } = programme
  const { shipped, stopped, undecided } = outcomes
  const counts = [
    [shipped, 'shipped'],
    [stopped, 'stopped'],
    [undecided, 'undecided'],
  ] as const
  return (
    <Stats>
      <Stat
        label="Experiments ended"
        value={number(ended)}
        hint={counts.flatMap(([count, words]) => (count > 0 ? `${number(count)} ${words}` : [])).join(' · ')}
      />
      {winRate && (
        <Stat
          label="Win rate"
          value={percent(winRate.wins / winRate.of, 0)}
          hint={`${number(winRate.wins)} of ${number(winRate.of)} shipped a new variant, 95% interval ${percent(winRate.low, 0)} to ${percent(winRate.high, 0)}`}
        />
      )}
      {metric && (
        <>
          <EffectStat
            label="Shipped together, as measured"
            estimate={shippedEffect?.measured}
            metric={metric}
            otherwise={`No shipped variant has an effect on ${metric.name}`}
          />
          <EffectStat
            label="Shipped together, shrunk"
            estimate={shippedEffect?.shrunk}
            metric={metric}
            otherwise={shippedEffect ? 'Needs three measured effects' : 'Known once a variant is shipped'}
          />
        </>
      )}
    </Stats>
  )
}

interface EffectStatProps {
  label: string
  estimate: ProgrammeEstimate | undefined
  metric: ProgrammeMetric
  /** Why there is no estimate. */
  otherwise: string
}

function EffectStat({ label, estimate, metric, otherwise }: EffectStatProps) {
  if (!estimate) return <Stat label={label} value="–" hint={otherwise} />
  const { value, low, high } = estimateWords(estimate, metric, 'relative')
  return <Stat label={label} value={value} hint={`${metric.name}, 95% interval ${low} to ${high}`} />
}
