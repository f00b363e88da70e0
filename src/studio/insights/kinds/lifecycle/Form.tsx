'use client'

import type { LifecycleQuestion } from '#insights/kinds/lifecycle/question'
import { type QuestionFormProps, FormPart } from '../../form/form-parts'
import { EventMatcherFields } from '../../form/EventMatcherFields'
import { returnIntervals, PeriodFields } from '../../form/PeriodFields'
import { AudienceFields } from '../../form/AudienceFields'

/** The form of a lifecycle question. */
export function LifecycleForm({ question, onChange }: QuestionFormProps<LifecycleQuestion>) {
  const put = (next: Partial<LifecycleQuestion>) => onChange({ ...question, ...next })
  return (
    <>
      <FormPart title="Activity" hint="A person is new at the first of these events.">
        <EventMatcherFields
          label="Activity event"
          value={question.happening}
          onChange={(happening) => put({ happening })}
          allowAny
        />
      </FormPart>
      <PeriodFields
        question={question}
        onChange={put}
        intervals={returnIntervals}
        isIntervalChosen
        hasCompare={false}
      />
      <AudienceFields question={question} onChange={put} />
    </>
  )
}
