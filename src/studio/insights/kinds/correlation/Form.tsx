'use client'

import { Field } from '#ui/form/Field'
import { NumberInput } from '#ui/form/NumberInput'
import { Select } from '#ui/form/Select'
import { Switch } from '#ui/form/Switch'
import type { CorrelationQuery, CorrelationSubject } from '#insights/kinds/correlation/schema'
import { type QueryFormProps, FormPart } from '../../form/form-parts'
import { FunnelSteps } from '../../form/FunnelSteps'
import { PeriodFields } from '../../form/PeriodFields'
import { AudienceFields } from '../../form/AudienceFields'

const subjectLabels: Record<CorrelationSubject, string> = {
  event: 'Events',
  'event property': 'Event properties',
  'person property': 'Person properties',
}
const subjects = Object.entries(subjectLabels).map(([value, label]) => ({ value, label }))
const isSubject = (value: string): value is CorrelationSubject => Object.hasOwn(subjectLabels, value)

/** The form of a correlation query. */
export function CorrelationForm({ query, onChange }: QueryFormProps<CorrelationQuery>) {
  const put = (next: Partial<CorrelationQuery>) => onChange({ ...query, ...next })
  const { steps, step, by, systemEvents, leastPersons } = query
  return (
    <>
      <FormPart title="Correlate with">
        <Select
          aria-label="Correlate with"
          options={subjects}
          value={by}
          onChange={(next) => isSubject(next) && put({ by: next })}
        />
        {by === 'event' && (
          <Switch
            label="Include system events"
            hint="Page leaves, web vitals, automatic clicks, flag calls."
            checked={systemEvents}
            onChange={(next) => put({ systemEvents: next })}
          />
        )}
        <Field label="Converted at">
          <Select
            options={steps.slice(1).map((_, place) => ({
              value: String(place + 1),
              label: `Step ${place + 2}`,
            }))}
            value={String(step ?? steps.length - 1)}
            onChange={(next) => put({ step: Number(next) })}
          />
        </Field>
        <Field label="Minimum people" hint="Traits of fewer people are left out.">
          <NumberInput
            value={leastPersons}
            min={1}
            unit="people"
            onChange={(next) => next !== null && put({ leastPersons: next })}
          />
        </Field>
      </FormPart>
      <FunnelSteps shape={query} put={put} />
      <PeriodFields query={query} onChange={put} hasCompare={false} />
      <AudienceFields query={query} onChange={put} />
    </>
  )
}
