'use client'

import { Fragment } from 'react'
import { ColourMark } from '#ui/chart/ColourMark'
import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { variantColour } from '#studio/flags/variant-colour'
import { VariantBar } from '#studio/flags/VariantBar'
import { type ExperimentProblems, problemOf } from './draft'

interface ControlFieldProps {
  variants: readonly { key: string; percentage: number }[]
  control: string
  problems: ExperimentProblems
  onChange: (control: string) => void
}

/** The shares of the variants, and which of them the others are compared with. */
export function ControlField({ variants, control, problems, onChange }: ControlFieldProps) {
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-col gap-1.5">
        <VariantBar
          label="Shares of the variants"
          shares={variants.map(({ key, percentage }) => ({ label: key, value: percentage }))}
        />
        <p className="text-xs wrap-anywhere text-muted">
          {variants.map(({ key, percentage }, index) => (
            <Fragment key={index}>
              {index > 0 && ' · '}
              <ColourMark colour={variantColour(index)} /> {key || 'without a key'} {percentage}%
            </Fragment>
          ))}
        </p>
      </div>
      <div className="sm:w-1/2">
        <Field
          label="Control"
          hint="The other variants are compared with it."
          {...problemOf(problems, 'control')}
        >
          <Select
            options={variants.map(({ key }) => ({ value: key, label: key || 'Without a key' }))}
            value={control}
            onChange={onChange}
          />
        </Field>
      </div>
    </div>
  )
}
