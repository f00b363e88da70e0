'use client'

import { Field } from '@base-ui/react/field'
import { bareInputClass, controlGroupClass } from './internal/control'

type ColourInputProps = {
  /** `#1f6f4a`; empty where none is chosen. */
  value: string
  onChange: (value: string) => void
  placeholder?: string
  /** The name of the swatch, which opens the browser's own choice of colours. */
  swatchLabel: string
}

const completeHexColour = /^#[\da-f]{6}$/i

/** A colour, picked or typed. Belongs in a Field. */
export function ColourInput({ value, onChange, placeholder = '', swatchLabel }: ColourInputProps) {
  return (
    <span className={controlGroupClass}>
      <input
        type="color"
        aria-label={swatchLabel}
        value={
          completeHexColour.test(value)
            ? value
            : completeHexColour.test(placeholder)
              ? placeholder
              : '#000000'
        }
        onChange={({ target }) => onChange(target.value)}
        className="ml-1.5 h-5.5 w-8 shrink-0 cursor-pointer rounded-xs border border-line bg-transparent"
      />
      <Field.Control
        value={value}
        placeholder={placeholder}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onValueChange={onChange}
        className={`${bareInputClass} font-mono text-xs`}
      />
    </span>
  )
}
