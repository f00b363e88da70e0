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
    hint: 'p-value and confidence interval',
  },
  {
    value: 'sequential',
    label: 'Sequential',
    hint: 'p-value and interval of a decision at any time, whatever was planned',
  },
] as const

const rules = [
  {
    value: 'any-time',
    label: 'At any time',
    hint: 'Its intervals hold at every look. They are wider, and it takes more people.',
  },
  {
    value: 'planned-size',
    label: 'At the planned size',
    hint: 'Once, when every variant has so many people. Plan says how many an effect needs.',
  },
  { value: 'whole-weeks', label: 'After whole weeks', hint: 'Once, at a time that you set.' },
] as const

type Rule = AnalysisSettings['decision']['rule']

const firstOf: Readonly<Record<Rule, AnalysisSettings['decision']>> = {
  'any-time': { rule: 'any-time' },
  'planned-size': { rule: 'planned-size', units: 5000 },
  'whole-weeks': { rule: 'whole-weeks', weeks: 2 },
}

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
      {draft.kind === 'fixed' && analysis.method !== 'sequential' && (
        <DecisionFields analysis={analysis} problems={problems} put={put} />
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

/** Before the planned end the result is a reading, and only clear harm is acted on. */
function DecisionFields({ analysis: { decision }, problems, put }: AnalysisPartProps) {
  return (
    <div className="flex flex-col gap-3">
      <RadioGroup
        boxed
        label="Decides"
        options={rules}
        value={decision.rule}
        onChange={(rule) => put({ decision: firstOf[rule] })}
      />
      {decision.rule === 'planned-size' && (
        <NumberField
          label="People in each variant"
          {...problemOf(problems, 'analysis.decision.units')}
          value={decision.units}
          whenEmpty={50}
          min={50}
          max={1_000_000_000}
          onChange={(units) => put({ decision: { ...decision, units } })}
        />
      )}
      {decision.rule === 'whole-weeks' && (
        <NumberField
          label="Weeks"
          {...problemOf(problems, 'analysis.decision.weeks')}
          value={decision.weeks}
          whenEmpty={1}
          min={1}
          max={52}
          onChange={(weeks) => put({ decision: { ...decision, weeks } })}
        />
      )}
    </div>
  )
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
