'use client'

import { clsx } from 'clsx'
import { CalendarDays, Check, ChevronDown } from 'lucide-react'
import { useRef, useState } from 'react'
import { Button } from '#ui/Button'
import { inOrder, isDay } from '#ui/dates'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { Popover } from '#ui/overlay/Popover'
import { TextInput } from '#ui/form/TextInput'
import { namedPeriods, namedPeriodNames } from '#insights/calendar/named-periods'
import { periodKeyOf, usePeriodKeys } from '#studio/parts/period-keys'
import { KeyHint } from '#ui/keyboard/KeyHint'
import { periodWords } from '#insights/calendar/period-words'

/** Picks the period of a query: a named one such as the last 30 days, or from one day to another. */
export function PeriodPicker({
  value,
  onChange,
  label = 'Date range',
  isOfPage = false,
}: {
  value: string
  onChange: (period: string) => void
  label?: string
  /** Whether it is the period of all that the page shows: its keys work anywhere on the page. */
  isOfPage?: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const choose = (period: string) => {
    setOpen(false)
    onChange(period)
  }

  return (
    <>
      {isOfPage && <PageKeys onChoose={choose} onChooseDays={() => isOpen || button.current?.click()} />}
      <Popover
        label={label}
        labelHidden
        flush
        open={isOpen}
        onOpenChange={setOpen}
        trigger={
          <Button
            ref={button}
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
            data-page-keys={isOfPage || undefined}
            className="grid grid-cols-2 gap-px border-line p-2 max-sm:border-b sm:w-80 sm:border-r"
          >
            {namedPeriodNames.map((period) => (
              <Named
                key={period}
                label={namedPeriods[period]}
                keys={isOfPage ? periodKeyOf(period) : undefined}
                isChosen={period === value}
                onChoose={() => choose(period)}
              />
            ))}
          </ul>
          <Days value={value} onChoose={choose} />
        </div>
      </Popover>
    </>
  )
}

interface PageKeysProps {
  onChoose: (period: string) => void
  onChooseDays: () => void
}

function PageKeys({ onChoose, onChooseDays }: PageKeysProps) {
  usePeriodKeys(onChoose, onChooseDays)
  return null
}

interface NamedProps {
  label: string
  keys: string | undefined
  isChosen: boolean
  onChoose: () => void
}

function Named({ label, keys, isChosen, onChoose }: NamedProps) {
  return (
    <li>
      <button
        type="button"
        aria-pressed={isChosen}
        aria-keyshortcuts={keys}
        onClick={onChoose}
        className={clsx(
          'flex h-8 w-full items-center gap-2 rounded-md px-2 text-left text-sm hover:bg-hover',
          'focus-visible:-outline-offset-2 aria-pressed:font-medium',
        )}
      >
        <span className="grow">{label}</span>
        {keys !== undefined && (
          <span aria-hidden className="text-muted">
            <KeyHint keys={keys} />
          </span>
        )}
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
