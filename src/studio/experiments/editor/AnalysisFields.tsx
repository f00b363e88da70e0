'use client'

import type { AnalysisSettings } from '#experiments/experiment'
import { Checkbox } from '#ui/form/Checkbox'
import { RadioGroup } from '#ui/form/RadioGroup'
import type { ExperimentFieldsProps } from './AboutFields'
import { type ExperimentProblems, problemOf } from './draft'
import { NumberField } from './NumberField'

const methods = [
  {
    value: 'bayesian',
    label: 'Bayesian',
    hint: 'Chance to win, credible interval and expected loss',
  },
  {
    value: 'frequentist',
    label: 'Frequentist',
    hint: 'p-value and confidence interval, for one look at the end',
  },
  {
    value: 'sequential',
    label: 'Sequential',
    hint: 'Intervals that hold at every look, so that you may stop early',
  },
] as const

export function AnalysisFields({ draft, problems, onChange }: ExperimentFieldsProps) {
  const { analysis } = draft
  const put = (part: Partial<AnalysisSettings>) => onChange({ analysis: { ...analysis, ...part } })
  return (
    <div className="flex flex-col gap-4">
      {draft.kind === 'rollout' ? (
        <p className="text-muted">
          Sequential intervals, which hold at every look: a rollout is read every few minutes.
        </p>
      ) : (
        <RadioGroup
          boxed
          label="Method"
          options={methods}
          value={analysis.method}
          onChange={(method) => put({ method })}
        />
      )}
      {draft.kind !== 'rollout' && analysis.method === 'bayesian' && (
        <PriorFields analysis={analysis} problems={problems} put={put} />
      )}
      <NumberFields analysis={analysis} problems={problems} put={put} />
    </div>
  )
}

interface AnalysisPartProps {
  analysis: AnalysisSettings
  problems: ExperimentProblems
  put: (part: Partial<AnalysisSettings>) => void
}

const usualPrior = { mean: 0, standardDeviation: 0.1 }
const asPercent = (share: number): number => Number((share * 100).toFixed(4))

function PriorFields({ analysis: { prior }, problems, put }: AnalysisPartProps) {
  return (
    <div className="flex flex-col gap-3">
      <Checkbox
        label="Use a prior"
        hint="What you believe of relative effects beforehand. It draws surprising results of few people towards it."
        checked={prior !== undefined}
        onChange={(isUsed) => put({ prior: isUsed ? usualPrior : undefined })}
      />
      {prior && (
        <div className="grid gap-4 sm:grid-cols-2">
          <NumberField
            label="Expected effect"
            {...problemOf(problems, 'analysis.prior.mean')}
            value={asPercent(prior.mean)}
            whenEmpty={0}
            min={-100}
            max={100}
            step={0.1}
            unit="%"
            onChange={(next) => put({ prior: { ...prior, mean: next / 100 } })}
          />
          <NumberField
            label="Standard deviation"
            hint="Two thirds of effects are within it."
            {...problemOf(problems, 'analysis.prior.standardDeviation')}
            value={asPercent(prior.standardDeviation)}
            whenEmpty={10}
            min={0.1}
            max={1000}
            step={0.1}
            unit="%"
            onChange={(next) => put({ prior: { ...prior, standardDeviation: next / 100 } })}
          />
        </div>
      )}
    </div>
  )
}

function NumberFields({ analysis, problems, put }: AnalysisPartProps) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2 lg:grid-cols-3">
      <NumberField
        label="Level of the intervals"
        {...problemOf(problems, 'analysis.level')}
        value={asPercent(analysis.level)}
        whenEmpty={95}
        min={50}
        max={99.9}
        step={0.1}
        unit="%"
        onChange={(next) => put({ level: next / 100 })}
      />
      <NumberField
        label="CUPED"
        hint="Days of behaviour before the exposure that adjust the results; 0 for none."
        {...problemOf(problems, 'analysis.lookbackDays')}
        value={analysis.lookbackDays}
        whenEmpty={0}
        min={0}
        max={90}
        unit="days"
        onChange={(next) => put({ lookbackDays: next })}
      />
      <NumberField
        label="Smallest effect that matters"
        hint="Relative. It decides how long the experiment runs."
        {...problemOf(problems, 'analysis.smallestEffect')}
        value={asPercent(analysis.smallestEffect)}
        whenEmpty={5}
        min={0.1}
        max={1000}
        step={0.1}
        unit="%"
        onChange={(next) => put({ smallestEffect: next / 100 })}
      />
      <NumberField
        label="Power"
        hint="The probability of finding that effect."
        {...problemOf(problems, 'analysis.power')}
        value={asPercent(analysis.power)}
        whenEmpty={80}
        min={50}
        max={99}
        unit="%"
        onChange={(next) => put({ power: next / 100 })}
      />
      <NumberField
        label="Minimum in each variant"
        hint="With fewer units, no results are shown."
        {...problemOf(problems, 'analysis.minimumUnits')}
        value={analysis.minimumUnits}
        whenEmpty={50}
        min={5}
        max={1_000_000}
        unit="units"
        onChange={(next) => put({ minimumUnits: next })}
      />
    </div>
  )
}
