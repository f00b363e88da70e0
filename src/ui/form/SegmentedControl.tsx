'use client'

import { Radio } from '@base-ui/react/radio'
import { RadioGroup } from '@base-ui/react/radio-group'
import { tabClass, tabListClass } from '../page/tab-style'

/** One of a few, all in sight: day, week, month. */
export function SegmentedControl<Value extends string>({
  label,
  options,
  value,
  onChange,
  name,
}: {
  label: string
  options: readonly { value: Value; label: string }[]
  value: Value
  onChange: (value: Value) => void
  name?: string
}) {
  return (
    <RadioGroup
      aria-label={label}
      value={value}
      onValueChange={onChange}
      name={name}
      className={tabListClass('segment')}
    >
      {options.map((option) => (
        <Radio.Root key={option.value} value={option.value} className={tabClass('segment')}>
          {option.label}
        </Radio.Root>
      ))}
    </RadioGroup>
  )
}
