import { Plus, X } from 'lucide-react'
import type { RolloutSettings, RolloutStep } from '#experiments/rollouts/rollout'
import { Button } from '#ui/Button'
import { Checkbox } from '#ui/form/Checkbox'
import { RadioGroup } from '#ui/form/RadioGroup'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { type ExperimentProblems, problemOf } from './draft'
import { NumberField } from './NumberField'

interface RampFieldsProps {
  rollout: RolloutSettings
  problems: ExperimentProblems
  onChange: (rollout: RolloutSettings) => void
}

const mostSteps = 20
const minutesPerHour = 60

/** The steps of a rollout, and what follows the last one. */
export function RampFields({ rollout, problems, onChange }: RampFieldsProps) {
  const { steps, waitsForPeople } = rollout
  const put = (next: readonly RolloutStep[]) => onChange({ ...rollout, steps: next })
  const { error } = problemOf(problems, 'rollout.steps')
  return (
    <div className="flex flex-col gap-4">
      <fieldset className="flex flex-col gap-2.5">
        <legend className="font-medium">Steps</legend>
        <p className="text-xs text-muted">
          The share of people who take part. Among them the variants keep their shares, so that they stay
          comparable, and no one changes variant from step to step.
        </p>
        {steps.map((step, i) => (
          <StepRow
            key={i}
            number={i + 1}
            step={step}
            onChange={(next) => put(steps.with(i, next))}
            onRemove={() => put(steps.toSpliced(i, 1))}
            whyNotRemove={steps.length > 1 ? undefined : 'A rollout has at least one step.'}
          />
        ))}
        {error !== undefined && <p className="text-danger-ink">{error}</p>}
        <div>
          <Button
            size="sm"
            icon={<Icon of={Plus} />}
            onClick={() => put([...steps, nextStep(steps)])}
            disabledReason={
              steps.length < mostSteps ? undefined : `A rollout has at most ${mostSteps} steps.`
            }
          >
            Add a step
          </Button>
        </div>
      </fieldset>
      <Checkbox
        label="Wait for enough people"
        hint="A step that is due waits until every guardrail has enough people to be judged."
        checked={waitsForPeople}
        onChange={(waits) => onChange({ ...rollout, waitsForPeople: waits })}
      />
      <WhenDoneField rollout={rollout} onChange={onChange} />
    </div>
  )
}

const nextStep = (steps: readonly RolloutStep[]): RolloutStep => {
  const last = steps.at(-1)
  return { share: Math.min(100, (last?.share ?? 5) * 2), minutes: last?.minutes ?? 24 * minutesPerHour }
}

const endings = [
  { value: 'ship', label: 'Ship the new variant', hint: 'Everyone gets it, and the rollout ends' },
  {
    value: 'wait',
    label: 'Wait for a decision',
    hint: 'The shares stay until you ship it or end the rollout',
  },
] as const

/** The action after the last step; it may change while the rollout runs. */
export function WhenDoneField({ rollout, onChange }: Pick<RampFieldsProps, 'rollout' | 'onChange'>) {
  return (
    <RadioGroup
      boxed
      label="After the last step"
      options={endings}
      value={rollout.whenDone}
      onChange={(whenDone) => onChange({ ...rollout, whenDone })}
    />
  )
}

interface StepRowProps {
  number: number
  step: RolloutStep
  onChange: (next: RolloutStep) => void
  onRemove: () => void
  whyNotRemove: string | undefined
}

function StepRow({ number, step, onChange, onRemove, whyNotRemove }: StepRowProps) {
  return (
    <div className="flex items-end gap-2">
      <div className="grid min-w-0 grow grid-cols-2 gap-2 sm:max-w-md">
        <NumberField
          label={`Step ${number}: people`}
          value={step.share}
          whenEmpty={0}
          min={0.1}
          max={100}
          unit="%"
          onChange={(share) => onChange({ ...step, share })}
        />
        <NumberField
          label={`Step ${number}: at least`}
          value={Number((step.minutes / minutesPerHour).toFixed(2))}
          whenEmpty={0}
          min={0.1}
          max={2160}
          unit="hours"
          onChange={(hours) => onChange({ ...step, minutes: Math.round(hours * minutesPerHour) })}
        />
      </div>
      <IconButton
        label={`Remove step ${number}`}
        icon={<Icon of={X} />}
        onClick={onRemove}
        disabledReason={whyNotRemove}
      />
    </div>
  )
}
