'use client'

import { Field } from '#ui/form/Field'
import { NumberInput } from '#ui/form/NumberInput'
import { RadioGroup } from '#ui/form/RadioGroup'
import { Switch } from '#ui/form/Switch'
import type { RetentionQuestion } from '#insights/kinds/retention/question'
import { Breakdowns } from '../../form/Breakdowns'
import { type QuestionFormProps, FormPart } from '../../form/form-parts'
import { EventMatcherFields } from '../../form/EventMatcherFields'
import { CountedEntityField } from '../../form/CountedEntityField'
import { returnIntervals, PeriodFields } from '../../form/PeriodFields'
import { AudienceFields } from '../../form/AudienceFields'

type Mode = RetentionQuestion['mode']
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

/** The form of a retention question. */
export function RetentionForm({ question, onChange }: QuestionFormProps<RetentionQuestion>) {
  const put = (next: Partial<RetentionQuestion>) => onChange({ ...question, ...next })
  const { target, breakdown } = question

  return (
    <>
      <FormPart title="Start event">
        <EventMatcherFields
          label="Starts with"
          value={target}
          onChange={(next) => put({ target: next })}
          allowAny
        />
        <RadioGroup
          label="Counted"
          options={modes}
          value={question.mode}
          onChange={(mode) => put({ mode })}
        />
      </FormPart>
      <Returning question={question} put={put} />
      <PeriodFields
        question={question}
        onChange={put}
        intervals={returnIntervals}
        isIntervalChosen
        hasCompare={false}
      />
      <FormPart title="Aggregation">
        <CountedEntityField value={question.per} onChange={(per) => put({ per })} />
      </FormPart>
      <Breakdowns
        values={breakdown ? [breakdown] : []}
        onChange={([next]) => put({ breakdown: next })}
        most={1}
        event={target.event}
        hasCohorts={false}
        hasBins={false}
        limit={question.limit}
        onLimit={(limit) => put({ limit })}
      />
      <AudienceFields question={question} onChange={put} />
    </>
  )
}

function Returning({
  question,
  put,
}: {
  question: RetentionQuestion
  put: (next: Partial<RetentionQuestion>) => void
}) {
  const { returning } = question
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
          value={question.minimum}
          min={1}
          max={1000}
          onChange={(minimum) => minimum !== null && put({ minimum })}
          unit="times"
        />
      </Field>
      <Switch
        label="On or after"
        hint="Persons who return later count as well."
        checked={question.rolling}
        onChange={(rolling) => put({ rolling })}
      />
    </FormPart>
  )
}
