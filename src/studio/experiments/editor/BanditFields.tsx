import type { BanditInterval, BanditSettings } from '#experiments/bandits/bandit'
import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { type ExperimentProblems, problemOf } from './draft'
import { NumberField } from './NumberField'

interface BanditFieldsProps {
  bandit: BanditSettings
  problems: ExperimentProblems
  onChange: (bandit: BanditSettings) => void
}

const intervals = [
  { value: 'hour', label: 'At most once an hour' },
  { value: 'day', label: 'At most once a day' },
] as const satisfies readonly { value: BanditInterval; label: string }[]

/** The fields for the rules by which a bandit's weights move. */
export function BanditFields({ bandit, problems, onChange }: BanditFieldsProps) {
  return (
    <div className="flex flex-col gap-4">
      <p className="text-pretty text-muted">
        The primary metric decides: a conversion, a count, a sum or a funnel. All variants begin with the same
        share. People who return after a move may see another variant; each counts for the variant that they
        saw first.
      </p>
      <div className="grid gap-4 sm:grid-cols-3">
        <Field label="Weights move">
          <Select
            options={intervals}
            value={bandit.interval}
            onChange={(interval) => onChange({ ...bandit, interval })}
          />
        </Field>
        <NumberField
          label="Smallest share"
          hint="What every variant keeps."
          {...problemOf(problems, 'bandit.smallestPercent')}
          value={bandit.smallestPercent}
          whenEmpty={1}
          min={1}
          max={49}
          unit="%"
          onChange={(next) => onChange({ ...bandit, smallestPercent: Math.round(next) })}
        />
        <NumberField
          label="Burn-in"
          hint="Exposed units of each variant before the first move."
          {...problemOf(problems, 'bandit.burnInUnits')}
          value={bandit.burnInUnits}
          whenEmpty={20}
          min={20}
          max={1_000_000}
          step={10}
          unit="units"
          onChange={(next) => onChange({ ...bandit, burnInUnits: Math.round(next) })}
        />
      </div>
    </div>
  )
}
