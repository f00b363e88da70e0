'use client'

import { Field } from '#ui/form/Field'
import { NumberInput } from '#ui/form/NumberInput'
import { RadioGroup } from '#ui/form/RadioGroup'
import { Switch } from '#ui/form/Switch'
import type { RetentionQuery } from '#insights/kinds/retention/schema'
import { Breakdowns } from '../../form/Breakdowns'
import { type QueryFormProps, FormPart } from '../../form/form-parts'
import { EventMatcherFields } from '../../form/EventMatcherFields'
import { CountedEntityField } from '../../form/CountedEntityField'
import { returnIntervals, PeriodFields } from '../../form/PeriodFields'
import { AudienceFields } from '../../form/AudienceFields'

type Mode = RetentionQuery['mode']
const modes: readonly { value: Mode; label: string; hint: string }[] = [
  { value: 'recurring', label: 'Recurring', hint: 'Counted in each interval with the start event.' },
  {
    value: 'first-in-period',
    label: 'First time in date range',
    hint: 'Counted once, at the first start event in the date range.',
  },
  {
    value: 'first-ever',
    label: 'First time ever',
    hint: 'Counted once, at the first start event ever.',
  },
]

/** The form of a retention query. */
export function RetentionForm({ query, onChange }: QueryFormProps<RetentionQuery>) {
  const put = (next: Partial<RetentionQuery>) => onChange({ ...query, ...next })
  const { target, breakdown } = query

  return (
    <>
      <FormPart title="Start event">
        <EventMatcherFields
          label="Starts with"
          value={target}
          onChange={(next) => put({ target: next })}
          allowAny
        />
        <RadioGroup label="Counted" options={modes} value={query.mode} onChange={(mode) => put({ mode })} />
      </FormPart>
      <Returning query={query} put={put} />
      <PeriodFields
        query={query}
        onChange={put}
        intervals={returnIntervals}
        isIntervalChosen
        hasCompare={false}
      />
      <FormPart title="Aggregation">
        <CountedEntityField value={query.per} onChange={(per) => put({ per })} />
      </FormPart>
      <Breakdowns
        values={breakdown ? [breakdown] : []}
        onChange={([next]) => put({ breakdown: next })}
        most={1}
        event={target.event}
        hasCohorts={false}
        hasBins={false}
        limit={query.limit}
        onLimit={(limit) => put({ limit })}
      />
      <AudienceFields query={query} onChange={put} />
    </>
  )
}

function Returning({ query, put }: { query: RetentionQuery; put: (next: Partial<RetentionQuery>) => void }) {
  const { returning } = query
  return (
    <FormPart title="Return event">
      <Switch
        label="Same as start event"
        checked={returning === undefined}
        onChange={(isSame) => put({ returning: isSame ? undefined : { event: null } })}
      />
      {returning && (
        <EventMatcherFields
          label="Returns with"
          value={returning}
          onChange={(next) => put({ returning: next })}
          allowAny
        />
      )}
      <Field label="At least">
        <NumberInput
          value={query.minimum}
          min={1}
          max={1000}
          onChange={(minimum) => minimum !== null && put({ minimum })}
          unit="times"
        />
      </Field>
      <Switch
        label="On or after"
        hint="People who return later count as well."
        checked={query.rolling}
        onChange={(rolling) => put({ rolling })}
      />
    </FormPart>
  )
}
