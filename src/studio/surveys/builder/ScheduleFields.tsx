'use client'

import type { SurveySchedule } from '#surveys/survey'
import { Field } from '#ui/form/Field'
import { NumberInput } from '#ui/form/NumberInput'
import { RadioGroup } from '#ui/form/RadioGroup'
import { TextInput } from '#ui/form/TextInput'
import type { DraftFieldsProps } from './AudienceFields'
import { useProblem } from './BuilderContext'

const options: { value: SurveySchedule['kind']; label: string; hint: string }[] = [
  { value: 'once', label: 'Once', hint: 'Once per person.' },
  {
    value: 'recurring',
    label: 'Recurring',
    hint: 'Once per person and iteration, such as a quarterly NPS.',
  },
  { value: 'always', label: 'Always', hint: 'Shown again after every response, such as a feedback form.' },
]

const made: Record<SurveySchedule['kind'], SurveySchedule> = {
  once: { kind: 'once' },
  recurring: { kind: 'recurring', iterations: 4, everyDays: 90 },
  always: { kind: 'always' },
}

export function ScheduleFields({ draft, onChange }: DraftFieldsProps) {
  const { schedule, responseLimit, endsAt } = draft
  const problem = useProblem('schedule')
  return (
    <div className="flex flex-col gap-4">
      <RadioGroup
        label="Schedule"
        labelHidden
        options={options}
        value={schedule.kind}
        onChange={(kind) => onChange({ schedule: made[kind] })}
      />
      {schedule.kind === 'recurring' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Iterations" {...problem}>
            <NumberInput
              value={schedule.iterations}
              min={2}
              max={500}
              onChange={(next) => onChange({ schedule: { ...schedule, iterations: next ?? 2 } })}
            />
          </Field>
          <Field label="Every">
            <NumberInput
              value={schedule.everyDays}
              min={1}
              unit="days"
              onChange={(next) => onChange({ schedule: { ...schedule, everyDays: next ?? 1 } })}
            />
          </Field>
        </div>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field
          label="Response limit"
          optional
          hint="The survey closes at this number."
          {...useProblem('responseLimit')}
        >
          <NumberInput
            value={responseLimit ?? null}
            min={1}
            unit="responses"
            onChange={(next) => onChange({ responseLimit: next ?? undefined })}
          />
        </Field>
        <Field label="Ends on" optional hint="In this browser’s time zone." {...useProblem('endsAt')}>
          <TextInput
            type="datetime-local"
            value={endsAt ? localTime(endsAt) : ''}
            onChange={({ target }) =>
              onChange({ endsAt: target.value === '' ? undefined : new Date(target.value) })
            }
          />
        </Field>
      </div>
    </div>
  )
}

/** As a field of local time writes it. */
const localTime = (at: Date): string =>
  new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
