'use client'

import { Slider as Base } from '@base-ui/react/slider'

export type SliderProps = {
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
    <Base.Root {...{ value, min, max, step, disabled }} onValueChange={onChange}>
      <Base.Control className="flex h-8 w-full touch-none items-center px-2 select-none">
        <Base.Track className="h-1 w-full rounded-full bg-line-strong">
          <Base.Indicator className="rounded-full bg-accent" />
          <Base.Thumb
            aria-label={label}
            className="size-4 rounded-full border border-line-strong bg-control shadow-[0_1px_2px_#0000003d] has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
          />
        </Base.Track>
      </Base.Control>
    </Base.Root>
  )
}
