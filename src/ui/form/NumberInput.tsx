'use client'

import { NumberField as Base } from '@base-ui/react/number-field'
import { Minus, Plus } from 'lucide-react'
import { bareInputClass, controlGroupClass } from './control'
import { Icon } from '../Icon'

export type NumberInputProps = {
  value?: number | null
  defaultValue?: number
  onChange?: (value: number | null) => void
  min?: number
  max?: number
  step?: number
  /** What is counted: `%`, `minutes`. */
  unit?: string
  name?: string
  required?: boolean
  disabled?: boolean
  placeholder?: string
  'aria-label'?: string
}

const stepClass =
  'grid w-7 shrink-0 place-items-center self-stretch text-muted hover:bg-hover hover:text-ink disabled:opacity-40'

/** What is stepped through in fractions needs a keypad with a point. */
const withPoint = { inputMode: 'decimal' } as const

/** A number: arrow keys step, Shift steps by ten. Belongs in a Field, or needs `aria-label`. */
export function NumberInput({
  onChange,
  unit,
  placeholder,
  'aria-label': label,
  ...props
}: NumberInputProps) {
  return (
    <Base.Root {...props} onValueChange={onChange}>
      <Base.Group className={controlGroupClass}>
        <Base.Input
          aria-label={label}
          aria-roledescription={undefined}
          {...(!Number.isInteger(props.step ?? 1) && withPoint)}
          placeholder={placeholder}
          className={`${bareInputClass} tabular-nums`}
        />
        {unit && <span className="shrink-0 pr-2.5 text-faint">{unit}</span>}
        <Base.Decrement className={`${stepClass} border-l border-line`}>
          <Icon of={Minus} size="sm" />
        </Base.Decrement>
        <Base.Increment className={`${stepClass} border-l border-line`}>
          <Icon of={Plus} size="sm" />
        </Base.Increment>
      </Base.Group>
    </Base.Root>
  )
}
