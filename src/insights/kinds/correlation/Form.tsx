'use client'

import { type FormProps, Part } from '../../asking/form'
import { FunnelSteps } from '../../asking/FunnelSteps'
import { When } from '../../asking/When'
import { Who } from '../../asking/Who'
import { Field } from '../../../ui/Field'
import { Select } from '../../../ui/Select'
import type { CorrelationQuestion, CorrelationSubject } from './question'

const subjectLabels: Record<CorrelationSubject, string> = {
  event: 'What they did',
  'event property': 'How they did it: properties of events',
  'person property': 'Who they are',
}
const subjects = Object.entries(subjectLabels).map(([value, label]) => ({ value, label }))
const isSubject = (value: string): value is CorrelationSubject => Object.hasOwn(subjectLabels, value)

/** Asks what sets those who convert apart. */
export function CorrelationForm({ question, onChange }: FormProps<CorrelationQuestion>) {
  const put = (next: Partial<CorrelationQuestion>) => onChange({ ...question, ...next })
  const { steps, step, by } = question
  return (
    <>
      <Part title="Told apart by">
        <Select
          aria-label="Told apart by"
          options={subjects}
          value={by}
          onChange={(next) => isSubject(next) && put({ by: next })}
        />
        <Field label="Converts who gets to">
          <Select
            options={steps.slice(1).map((_, place) => ({
              value: String(place + 1),
              label: `Step ${place + 2}`,
            }))}
            value={String(step ?? steps.length - 1)}
            onChange={(next) => put({ step: Number(next) })}
          />
        </Field>
      </Part>
      <FunnelSteps shape={question} put={put} />
      <When question={question} onChange={put} hasCompare={false} />
      <Who question={question} onChange={put} />
    </>
  )
}
