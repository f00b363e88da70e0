'use client'

import type { FormProps } from '../../asking/form'
import { GoalFields } from '../../asking/GoalFields'
import { everyInterval, When } from '../../asking/When'
import { Who } from '../../asking/Who'
import type { TotalsQuestion } from './question'

/** Asks how many came, how long they stayed, and what came of it. */
export function TotalsForm({ question, onChange }: FormProps<TotalsQuestion>) {
  const put = (next: Partial<TotalsQuestion>) => onChange({ ...question, ...next })
  return (
    <>
      <When question={question} onChange={put} intervals={everyInterval} />
      <GoalFields value={question.goal} onChange={(goal) => put({ goal })} />
      <Who question={question} onChange={put} />
    </>
  )
}
