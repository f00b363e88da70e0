'use client'

import { Table2 } from 'lucide-react'
import { useId, type ChangeEvent } from 'react'
import { Icon } from '#ui/Icon'

/**
 * Shows a chart as its table. The switch itself is style (charts.css) and works without script; what script adds is
 * that a table wider than its box can be scrolled by keyboard.
 */
export function TableSwitch() {
  const id = useId()
  return (
    <label
      htmlFor={id}
      title="Show as table"
      className="relative grid size-7 cursor-pointer place-items-center rounded-md text-muted hover:bg-hover hover:text-ink has-checked:bg-pressed has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-focus"
    >
      <input id={id} type="checkbox" className="as-table sr-only" onChange={letItScroll} />
      <Icon of={Table2} />
      <span className="sr-only">Show as table</span>
    </label>
  )
}

function letItScroll({ currentTarget }: ChangeEvent<HTMLInputElement>) {
  for (const table of currentTarget.closest('.chart-frame')?.querySelectorAll('.chart-table') ?? []) {
    if (currentTarget.checked) table.setAttribute('tabindex', '0')
    else table.removeAttribute('tabindex')
  }
}
