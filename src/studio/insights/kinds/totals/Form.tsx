'use client'

import type { TotalsQuestion } from '#insights/kinds/totals/question'
import type { QuestionFormProps } from '../../form/form-parts'
import { GoalFields } from '../../form/GoalFields'
import { everyInterval, PeriodFields } from '../../form/PeriodFields'
import { AudienceFields } from '../../form/AudienceFields'

/** The form of a totals question. */
export function TotalsForm({ question, onChange }: QuestionFormProps<TotalsQuestion>) {
  const put = (next: Partial<TotalsQuestion>) => onChange({ ...question, ...next })
  return (
    <>
      <PeriodFields question={question} onChange={put} intervals={everyInterval} />
      <GoalFields value={question.goal} onChange={(goal) => put({ goal })} />
      <AudienceFields question={question} onChange={put} />
    </>
  )
}
