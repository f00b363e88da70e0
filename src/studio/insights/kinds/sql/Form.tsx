'use client'

import { useState } from 'react'
import { Button } from '#ui/Button'
import { CodeEditor } from '#ui/form/CodeEditor'
import { SegmentedControl } from '#ui/form/SegmentedControl'
import type { SqlQuestion } from '#insights/kinds/sql/question'
import { namesPeriod } from '#insights/kinds/sql/statement'
import { type QuestionFormProps, FormPart } from '../../form/form-parts'
import { PeriodPicker } from '../../form/PeriodPicker'
import { sqlChartOptions } from './chart-type'
import { sqlLanguage } from './sql-language'

/** Runs the statement on submit, not while it is typed. */
export function SqlForm({ question, onChange }: QuestionFormProps<SqlQuestion>) {
  const [text, setText] = useState(question.text)
  const ask = () => onChange({ ...question, text })
  return (
    <FormPart
      title="Query"
      hint="Read-only SQL over this project’s data. {{from}} and {{until}} are the start and end of the date range."
    >
      <CodeEditor label="SQL" language={sqlLanguage} value={text} onChange={setText} onSubmit={ask} />
      <SegmentedControl
        label="View as"
        options={sqlChartOptions}
        value={question.chart}
        onChange={(chart) => onChange({ ...question, text, chart })}
      />
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          onClick={ask}
          {...(text === question.text && { disabledReason: 'No changes to run.' })}
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
