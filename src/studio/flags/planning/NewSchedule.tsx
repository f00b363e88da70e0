'use client'

import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { NumberInput } from '#ui/form/NumberInput'
import { Select } from '#ui/form/Select'
import { TextInput } from '#ui/form/TextInput'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { scheduleFlag } from '../actions'

interface NewScheduleProps {
  slug: string
  flagKey: string
  environment: string
  sets: number
  timeZone: string
  whyNot: string | undefined
}

const stepActions = [
  { value: 'on', label: 'Turn on' },
  { value: 'off', label: 'Turn off' },
  { value: 'share', label: 'Set rollout to' },
] as const

/** One step or many: on, off, or a ramp of percentages. */
export function NewSchedule({ slug, flagKey, environment, sets, timeZone, whyNot }: NewScheduleProps) {
  const [steps, setSteps] = useState<StepDraft[]>([])
  const [set, setSet] = useState('every')

  return (
    <ChangeDialog
      title="New schedule"
      description={`For ${environment}. Time zone: ${timeZone}.`}
      onOpen={() => setSteps([newStep()])}
      change={() =>
        scheduleFlag(slug, flagKey, { environment, steps: steps.map((step) => stepInput(step, set)) })
      }
      saved="Schedule saved"
      trigger={
        <Button size="sm" icon={<Icon of={Plus} />} disabledReason={whyNot}>
          Schedule…
        </Button>
      }
      submit="Save schedule"
      incomplete={steps.some(({ at }) => at === '') ? 'Enter the time of each step.' : undefined}
    >
      <StepFields steps={steps} onChange={setSteps} />
      {sets > 1 && steps.some(({ does }) => does === 'share') && (
        <Field label="Applies to">
          <Select options={setChoices(sets)} value={set} onChange={setSet} />
        </Field>
      )}
    </ChangeDialog>
  )
}

const setChoices = (sets: number) => [
  { value: 'every', label: 'Every condition set' },
  ...Array.from({ length: sets }, (_, index) => ({
    value: String(index),
    label: `Condition set ${index + 1}`,
  })),
]

function StepFields({
  steps,
  onChange,
}: {
  steps: readonly StepDraft[]
  onChange: (next: StepDraft[]) => void
}) {
  return (
    <>
      <ol className="flex flex-col gap-3">
        {steps.map((step, index) => (
          <StepRow
            key={step.id}
            step={step}
            label={`Step ${index + 1}`}
            onChange={(next) => onChange(steps.with(index, next))}
            onRemove={() => onChange(steps.toSpliced(index, 1))}
          />
        ))}
      </ol>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" icon={<Icon of={Plus} />} onClick={() => onChange([...steps, newStep()])}>
          Add step
        </Button>
        <Button
          size="sm"
          variant="quiet"
          onClick={() => onChange(rampFrom(steps[0]?.at ?? ''))}
          disabledReason={steps[0]?.at ? undefined : 'Enter the time of the first step.'}
        >
          Ramp by day: 1, 10, 50, 100%
        </Button>
      </div>
    </>
  )
}

function StepRow({
  step,
  label,
  onChange,
  onRemove,
}: {
  step: StepDraft
  label: string
  onChange: (next: StepDraft) => void
  onRemove: () => void
}) {
  return (
    <li className="flex items-start gap-1.5">
      <div className="flex min-w-0 grow flex-wrap gap-1.5">
        <div className="w-full sm:w-52">
          <TextInput
            type="datetime-local"
            aria-label={`${label}: when`}
            value={step.at}
            onChange={({ target }) => onChange({ ...step, at: target.value })}
          />
        </div>
        <Select
          fit
          aria-label={`${label}: action`}
          options={stepActions}
          value={step.does}
          onChange={(does) => onChange({ ...step, does })}
        />
        {step.does === 'share' && (
          <div className="w-36">
            <NumberInput
              aria-label={`${label}: percentage`}
              value={step.percentage}
              min={0}
              max={100}
              step={0.01}
              unit="%"
              onChange={(percentage) => onChange({ ...step, percentage: percentage ?? 0 })}
            />
          </div>
        )}
      </div>
      <IconButton label={`Remove ${label.toLowerCase()}`} icon={<Icon of={X} />} onClick={onRemove} />
    </li>
  )
}

/** A step of a schedule on its way. Times are as clocks show them, without a zone: the project's is meant. */
interface StepDraft {
  id: number
  at: string
  does: 'on' | 'off' | 'share'
  percentage: number
}

let lastId = 0

export const newStep = (part: Partial<StepDraft> = {}): StepDraft => ({
  at: '',
  does: 'on',
  percentage: 10,
  ...part,
  id: ++lastId,
})

const ramp = [1, 10, 50, 100]

/** A step each day at the same local time, also across clock changes. */
export const rampFrom = (at: string): StepDraft[] =>
  ramp.map((percentage, days) => newStep({ at: daysAfter(at, days), does: 'share', percentage }))

function daysAfter(at: string, days: number): string {
  const [day = '', time = '00:00'] = at.split('T')
  const later = new Date(`${day}T00:00:00Z`)
  later.setUTCDate(later.getUTCDate() + days)
  return `${later.toISOString().slice(0, 10)}T${time}`
}

/** A step to a percentage above 0 also turns the flag on. */
export function stepInput({ at, does, percentage }: StepDraft, set: string) {
  if (does !== 'share') return { at, isOn: does === 'on' }
  return { at, isOn: percentage > 0, percentage, ...(set !== 'every' && { condition: Number(set) }) }
}
