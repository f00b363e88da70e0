'use client'

import { useState } from 'react'
import type { WeekStart } from '#insights/calendar/period'
import { Combobox } from '#ui/form/Combobox'
import { Field } from '#ui/form/Field'
import { RadioGroup } from '#ui/form/RadioGroup'
import { ChangeForm, Submit } from '#studio/parts/ChangeForm'
import { changeUnits } from './change-analytics'

interface UnitsFormProps {
  slug: string
  currency: string
  weekStart: WeekStart
  whyNot: string | undefined
}

const names = new Intl.DisplayNames('en', { type: 'currency' })
const currencies = Intl.supportedValuesOf('currency').map((value) => ({
  value,
  label: `${names.of(value)} (${value})`,
}))

const weekStarts = [
  { value: 'monday', label: 'Monday' },
  { value: 'sunday', label: 'Sunday' },
]

export function UnitsForm({ slug, currency, weekStart, whyNot }: UnitsFormProps) {
  const [chosen, setChosen] = useState<string | null>(currency)
  const isFixed = whyNot !== undefined

  return (
    <ChangeForm change={(form) => changeUnits(slug, form)} saved="Currency and weeks saved">
      <Field
        label="Currency"
        name="answers.currency"
        hint="How amounts are written. Amounts are not converted."
      >
        <Combobox options={currencies} value={chosen} onChange={setChosen} disabled={isFixed} required />
      </Field>
      <RadioGroup
        label="First day of the week"
        name="answers.weekStart"
        defaultValue={weekStart}
        options={weekStarts.map((option) => ({ ...option, disabled: isFixed }))}
      />
      <div>
        <Submit disabledReason={whyNot}>Save</Submit>
      </div>
    </ChangeForm>
  )
}
