'use client'

import { useState } from 'react'
import { Button } from '../../../ui/Button'
import { CodeEditor } from '../../../ui/CodeEditor'
import { type FormProps, Part } from '../../asking/form'
import { PeriodPicker } from '../../PeriodPicker'
import type { SqlQuestion } from './question'
import { namesPeriod } from './statement'

/** A statement is asked when it is finished, not while it is written. */
export function SqlForm({ question, onChange }: FormProps<SqlQuestion>) {
  const [text, setText] = useState(question.text)
  const ask = () => onChange({ ...question, text })
  return (
    <Part
      title="Statement"
      hint="One select over events, persons, sessions and groups. {{from}} and {{until}} are the ends of the period."
    >
      <CodeEditor label="SQL" value={text} onChange={setText} onSubmit={ask} />
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          onClick={ask}
          {...(text === question.text && { disabledReason: 'This is what is answered.' })}
        >
          Run
        </Button>
        {namesPeriod(text) && (
          <PeriodPicker
            value={question.period}
            onChange={(period) => onChange({ ...question, text, period })}
          />
        )}
      </div>
    </Part>
  )
}
