'use client'

import { Breakdowns } from '../../form/Breakdowns'
import { type QuestionFormProps, FormPart } from '../../form/form-parts'
import { EventMatcherFields } from '../../form/EventMatcherFields'
import { CountedEntityField } from '../../form/CountedEntityField'
import { returnIntervals, PeriodFields } from '../../form/PeriodFields'
import { AudienceFields } from '../../form/AudienceFields'
import { Field } from '#ui/form/Field'
import { NumberInput } from '#ui/form/NumberInput'
import { RadioGroup } from '#ui/form/RadioGroup'
import { Switch } from '#ui/form/Switch'
import type { RetentionQuestion } from './question'

type Mode = RetentionQuestion['mode']
const modes: readonly { value: Mode; label: string; hint: string }[] = [
  { value: 'recurring', label: 'Every time', hint: 'Counted in each interval in which they did it.' },
  {
    value: 'first-in-period',
    label: 'First time here',
    hint: 'Counted once, where they first did it in the period.',
  },
  {
    value: 'first-ever',
    label: 'First time ever',
    hint: 'Counted once, where they did it for the first time of all.',
  },
]

/** The form of a retention question. */
export function RetentionForm({ question, onChange }: QuestionFormProps<RetentionQuestion>) {
  const put = (next: Partial<RetentionQuestion>) => onChange({ ...question, ...next })
  const { target, breakdown } = question

  return (
    <>
      <FormPart title="Began by">
        <EventMatcherFields
          label="Begins with"
          value={target}
          onChange={(next) => put({ target: next })}
          allowAny
        />
        <RadioGroup
          label="Who begins when"
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
      <FormPart title="Counts">
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
    <FormPart title="Came back by">
      <Switch
        label="Doing the same again"
        checked={returning === undefined}
        onChange={(isSame) => put({ returning: isSame ? undefined : { event: null } })}
      />
      {returning && (
        <EventMatcherFields
          label="Comes back with"
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
        label="Then or later"
        hint="Persons who come back after that interval count as well."
        checked={question.rolling}
        onChange={(rolling) => put({ rolling })}
      />
    </FormPart>
  )
}
