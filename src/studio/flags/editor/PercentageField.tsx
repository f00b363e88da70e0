'use client'

import { NumberInput } from '#ui/form/NumberInput'
import { Slider } from '#ui/form/Slider'

/** About by hand, to a hundredth by number. */
export function PercentageField({
  label,
  value,
  onChange,
}: {
  label: string
  value: number
  onChange: (next: number) => void
}) {
  return (
    <div className="flex items-center gap-3">
      <div className="min-w-24 grow">
        <Slider aria-label={`${label}, roughly`} value={value} onChange={onChange} />
      </div>
      <div className="w-36 shrink-0">
        <NumberInput
          aria-label={label}
          value={value}
          min={0}
          max={100}
          step={0.01}
          unit="%"
          onChange={(next) => onChange(Math.round((next ?? 0) * 100) / 100)}
        />
      </div>
    </div>
  )
}
