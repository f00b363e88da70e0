'use client'

type SliderProps = {
  value: number
  onChange: (value: number) => void
  min?: number
  max?: number
  step?: number
  disabled?: boolean
  'aria-label': string
}

/** About how much: drag, or arrow keys. Where it must be exact, put a NumberInput beside it. */
export function Slider({
  value,
  onChange,
  min = 0,
  max = 100,
  step = 1,
  disabled,
  'aria-label': label,
}: SliderProps) {
  return (
    <input
      type="range"
      aria-label={label}
      {...{ value, min, max, step, disabled }}
      onChange={({ target }) => onChange(target.valueAsNumber)}
      className="h-8 w-full cursor-pointer accent-accent disabled:cursor-not-allowed disabled:opacity-50"
    />
  )
}
