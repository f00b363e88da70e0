'use client'

import { useState } from 'react'
import { Button } from '#ui/Button'
import { CodeEditor } from '#ui/form/CodeEditor'
import { SegmentedControl } from '#ui/form/SegmentedControl'
import type { SqlQuery } from '#insights/kinds/sql/schema'
import { namesPeriod } from '#insights/kinds/sql/statement'
import { type QueryFormProps, FormPart } from '../../form/form-parts'
import { PeriodPicker } from '../../form/PeriodPicker'
import { sqlChartOptions } from './chart-type'
import { sqlLanguage } from './sql-language'

/** Runs the statement on submit, not while it is typed. */
export function SqlForm({ query, onChange }: QueryFormProps<SqlQuery>) {
  const [text, setText] = useState(query.text)
  const ask = () => onChange({ ...query, text })
  return (
    <FormPart
      title="Query"
      hint="Read-only SQL over this project’s data. {{from}} and {{until}} are the start and end of the date range."
    >
      <CodeEditor label="SQL" language={sqlLanguage} value={text} onChange={setText} onSubmit={ask} />
      <SegmentedControl
        label="View as"
        options={sqlChartOptions}
        value={query.chart}
        onChange={(chart) => onChange({ ...query, text, chart })}
      />
      <div className="flex flex-wrap gap-2">
        <Button
          variant="primary"
          onClick={ask}
          {...(text === query.text && { disabledReason: 'No changes to run.' })}
        >
          Run
        </Button>
        {namesPeriod(text) && (
          <PeriodPicker value={query.period} onChange={(period) => onChange({ ...query, text, period })} />
        )}
      </div>
    </FormPart>
  )
}
