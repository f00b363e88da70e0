'use client'

import { type FormProps, Part } from '../../asking/form'
import { GoalFields } from '../../asking/GoalFields'
import { When } from '../../asking/When'
import { Who } from '../../asking/Who'
import { MultiCombobox } from '../../../ui/Combobox'
import { Field } from '../../../ui/Field'
import { NumberInput } from '../../../ui/NumberInput'
import { TextInput } from '../../../ui/TextInput'
import { dimensionWords, type DimensionWords, isDimensionName } from '../../dimension-words'
import type { BreakdownQuestion } from './question'

const dimensions = Object.entries<DimensionWords>(dimensionWords).map(([value, { label, key }]) => ({
  value,
  label,
  hint: key,
}))

/** Asks for visitors by page, source, place, device or anything else web analytics knows. */
export function BreakdownForm({ question, onChange }: FormProps<BreakdownQuestion>) {
  const put = (next: Partial<BreakdownQuestion>) => onChange({ ...question, ...next })
  return (
    <>
      <Part title="Visitors by">
        <MultiCombobox
          aria-label="Visitors by"
          placeholder="Page, source, country …"
          options={dimensions}
          values={question.dimensions}
          onChange={(values) => put({ dimensions: values.filter(isDimensionName) })}
        />
        <Field label="Only values with" optional>
          <TextInput
            value={question.search ?? ''}
            maxLength={200}
            onChange={({ target }) => put({ search: target.value || undefined })}
          />
        </Field>
        <Field label="Show at most">
          <NumberInput
            value={question.limit}
            min={1}
            max={1000}
            unit="values"
            onChange={(limit) => limit !== null && put({ limit })}
          />
        </Field>
      </Part>
      <When question={question} onChange={put} />
      <GoalFields value={question.goal} onChange={(goal) => put({ goal })} />
      <Who question={question} onChange={put} />
    </>
  )
}
