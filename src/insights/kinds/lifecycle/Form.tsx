'use client'

import { type FormProps, Part } from '../../asking/form'
import { HappeningFields } from '../../asking/HappeningFields'
import { returnIntervals, When } from '../../asking/When'
import { Who } from '../../asking/Who'
import type { LifecycleQuestion } from './question'

/** Asks of whom the active are made. */
export function LifecycleForm({ question, onChange }: FormProps<LifecycleQuestion>) {
  const put = (next: Partial<LifecycleQuestion>) => onChange({ ...question, ...next })
  return (
    <>
      <Part title="Active by" hint="New is who does this for the first time, whatever else they did before.">
        <HappeningFields
          label="Active means"
          value={question.happening}
          onChange={(happening) => put({ happening })}
          allowAny
        />
      </Part>
      <When
        question={question}
        onChange={put}
        intervals={returnIntervals}
        isIntervalChosen
        hasCompare={false}
      />
      <Who question={question} onChange={put} />
    </>
  )
}
