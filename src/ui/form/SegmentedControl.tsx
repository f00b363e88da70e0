'use client'

import { useId } from 'react'
import { tabClass, tabListClass } from '../page/tab-style'
import { Radio, RadioContext, useRadios } from './internal/Radio'

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
    <RadioContext value={useRadios({ name, value, onChange })}>
      <div role="radiogroup" aria-label={label} className={tabListClass('segment')}>
        {options.map((option) => (
          <Segment key={option.value} {...option} />
        ))}
      </div>
    </RadioContext>
  )
}

function Segment({ value, label }: { value: string; label: string }) {
  const labelId = useId()
  return (
    <label className={`${tabClass('segment')} has-focus-visible:outline-2 has-focus-visible:outline-focus`}>
      {/* the radio covers its segment, so that it takes the press */}
      <Radio
        value={value}
        labelId={labelId}
        className="absolute inset-0 cursor-pointer appearance-none rounded-sm outline-none"
      />
      <span id={labelId}>{label}</span>
    </label>
  )
}
