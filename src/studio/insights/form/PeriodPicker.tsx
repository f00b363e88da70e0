'use client'

import { clsx } from 'clsx'
import { CalendarDays, Check, ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/Button'
import { inOrder, isDay } from '#ui/dates'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { Popover } from '#ui/overlay/Popover'
import { TextInput } from '#ui/form/TextInput'
import { namedPeriods } from '#insights/calendar/named-periods'
import { periodWords } from '#insights/calendar/period-words'

/** Picks the period of a query: a named one such as the last 30 days, or from one day to another. */
export function PeriodPicker({
  value,
  onChange,
  label = 'Date range',
}: {
  value: string
  onChange: (period: string) => void
  label?: string
}) {
  const [isOpen, setOpen] = useState(false)
  const choose = (period: string) => {
    setOpen(false)
    onChange(period)
  }

  return (
    <Popover
      label={label}
      labelHidden
      flush
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button
          aria-label={`${label}: ${periodWords(value)}`}
          icon={<Icon of={CalendarDays} className="text-faint" />}
          iconEnd={<Icon of={ChevronDown} size="sm" className="text-faint" />}
        >
          {periodWords(value)}
        </Button>
      }
    >
      <div className="flex flex-col sm:flex-row">
        <ul
          aria-label="Presets"
          className="grid grid-cols-2 gap-px border-line p-2 max-sm:border-b sm:w-80 sm:border-r"
        >
          {Object.entries(namedPeriods).map(([period, words]) => (
            <Named key={period} label={words} isChosen={period === value} onChoose={() => choose(period)} />
          ))}
        </ul>
        <Days value={value} onChoose={choose} />
      </div>
    </Popover>
  )
}

function Named({ label, isChosen, onChoose }: { label: string; isChosen: boolean; onChoose: () => void }) {
  return (
    <li>
      <button
        type="button"
        aria-pressed={isChosen}
        onClick={onChoose}
        className={clsx(
          'flex h-8 w-full items-center justify-between rounded-md px-2 text-left text-sm hover:bg-hover',
          'focus-visible:-outline-offset-2 aria-pressed:font-medium',
        )}
      >
        {label}
        {isChosen && <Icon of={Check} size="sm" className="text-accent-ink" />}
      </button>
    </li>
  )
}

function Days({ value, onChoose }: { value: string; onChoose: (period: string) => void }) {
  const [first = '', second = ''] = value.includes('..') ? value.split('..') : []
  const [from, setFrom] = useState(first.slice(0, 10))
  const [to, setTo] = useState(second.slice(0, 10))
  const days = isDay(from) && isDay(to) ? inOrder(from, to) : undefined

  return (
    <div className="flex flex-col gap-3 p-3 sm:w-48">
      <Field label="From">
        <TextInput type="date" value={from} onChange={({ target }) => setFrom(target.value)} />
      </Field>
      <Field label="To">
        <TextInput type="date" value={to} onChange={({ target }) => setTo(target.value)} />
      </Field>
      <Button
        size="sm"
        variant="primary"
        disabledReason={days ? undefined : 'Choose a start and an end date'}
        onClick={() => days && onChoose(`${days.from}..${days.to}`)}
      >
        Apply
      </Button>
    </div>
  )
}
