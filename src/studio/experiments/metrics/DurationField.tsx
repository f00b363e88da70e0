'use client'

import { useState } from 'react'
import { Field } from '#ui/form/Field'
import { NumberInput } from '#ui/form/NumberInput'
import { Select } from '#ui/form/Select'

const units = [
  { value: 'hours', label: 'hours' },
  { value: 'days', label: 'days' },
] as const

interface DurationFieldProps {
  label: string
  hint: string
  hours: number | undefined
  placeholder: string
  onChange: (hours: number | undefined) => void
}

/** A number of hours, typed as hours or days. */
export function DurationField({ label, hint, hours, placeholder, onChange }: DurationFieldProps) {
  const [unit, setUnit] = useState<'hours' | 'days'>(
    hours === undefined || hours % 24 === 0 ? 'days' : 'hours',
  )
  const factor = unit === 'days' ? 24 : 1
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_6rem] items-start gap-2">
      <Field label={label} optional hint={hint}>
        <NumberInput
          value={hours === undefined ? null : Number((hours / factor).toFixed(4))}
          min={0}
          placeholder={placeholder}
          onChange={(next) => onChange(next ? next * factor : undefined)}
        />
      </Field>
      <div className="pt-6.5">
        <Select
          aria-label={`${label}: unit`}
          options={units}
          value={unit}
          onChange={(next) => {
            setUnit(next)
            if (hours !== undefined) onChange((hours / factor) * (next === 'days' ? 24 : 1))
          }}
        />
      </div>
    </div>
  )
}
