'use client'

import { MultiCombobox } from '#ui/form/Combobox'
import { Field } from '#ui/form/Field'
import { NumberInput } from '#ui/form/NumberInput'
import { TextInput } from '#ui/form/TextInput'
import { dimensionWords, type DimensionWords, isDimensionName } from '#insights/text/dimension-words'
import type { BreakdownQuery } from '#insights/kinds/breakdown/schema'
import { type QueryFormProps, FormPart } from '../../form/form-parts'
import { GoalFields } from '../../form/GoalFields'
import { PeriodFields } from '../../form/PeriodFields'
import { AudienceFields } from '../../form/AudienceFields'

const dimensions = Object.entries<DimensionWords>(dimensionWords).map(([value, { label, key }]) => ({
  value,
  label,
  hint: key,
}))

/** Asks for visitors by page, source, place, device or anything else web analytics knows. */
export function BreakdownForm({ query, onChange }: QueryFormProps<BreakdownQuery>) {
  const put = (next: Partial<BreakdownQuery>) => onChange({ ...query, ...next })
  return (
    <>
      <FormPart title="Breakdown">
        <MultiCombobox
          aria-label="Breakdown"
          placeholder="Page, source, country …"
          options={dimensions}
          values={query.dimensions}
          onChange={(values) => put({ dimensions: values.filter(isDimensionName) })}
        />
        <Field label="Values that contain" optional>
          <TextInput
            value={query.search ?? ''}
            maxLength={200}
            onChange={({ target }) => put({ search: target.value || undefined })}
          />
        </Field>
        <Field label="Limit">
          <NumberInput
            value={query.limit}
            min={1}
            max={1000}
            unit="values"
            onChange={(limit) => limit !== null && put({ limit })}
          />
        </Field>
      </FormPart>
      <PeriodFields query={query} onChange={put} />
      <GoalFields value={query.goal} onChange={(goal) => put({ goal })} />
      <AudienceFields query={query} onChange={put} />
    </>
  )
}
