'use client'

import { Breakdowns } from '../../asking/Breakdowns'
import { type FormProps, Part } from '../../asking/form'
import { HappeningFields } from '../../asking/HappeningFields'
import { Per } from '../../asking/Per'
import { returnIntervals, When } from '../../asking/When'
import { Who } from '../../asking/Who'
import { Field } from '../../../ui/Field'
import { NumberInput } from '../../../ui/NumberInput'
import { RadioGroup } from '../../../ui/RadioGroup'
import { Switch } from '../../../ui/Switch'
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

/** Asks who comes back. */
export function RetentionForm({ question, onChange }: FormProps<RetentionQuestion>) {
  const put = (next: Partial<RetentionQuestion>) => onChange({ ...question, ...next })
  const { target, breakdown } = question

  return (
    <>
      <Part title="Began by">
        <HappeningFields
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
      </Part>
      <Returning question={question} put={put} />
      <When
        question={question}
        onChange={put}
        intervals={returnIntervals}
        isIntervalChosen
        hasCompare={false}
      />
      <Part title="Of whom">
        <Per value={question.per} onChange={(per) => put({ per })} />
      </Part>
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
      <Who question={question} onChange={put} />
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
    <Part title="Came back by">
      <Switch
        label="Doing the same again"
        checked={returning === undefined}
        onChange={(isSame) => put({ returning: isSame ? undefined : { event: null } })}
      />
      {returning && (
        <HappeningFields
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
        hint="Whoever comes back after that interval counts as well."
        checked={question.rolling}
        onChange={(rolling) => put({ rolling })}
      />
    </Part>
  )
}
