'use client'

import { useState } from 'react'
import { Button } from '#ui/Button'
import { CodeEditor } from '#ui/form/CodeEditor'
import { type QuestionFormProps, FormPart } from '../../form/form-parts'
import { PeriodPicker } from '../../calendar/PeriodPicker'
import type { SqlQuestion } from './question'
import { namesPeriod } from './statement'

/** Runs the statement on submit, not while it is typed. */
export function SqlForm({ question, onChange }: QuestionFormProps<SqlQuestion>) {
  const [text, setText] = useState(question.text)
  const ask = () => onChange({ ...question, text })
  return (
    <FormPart
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
    </FormPart>
  )
}
