'use client'

import { clsx } from 'clsx'
import { CalendarDays, Check, ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../Button'
import { Calendar } from './Calendar'
import { dayAt, inOrder, isDay, presets, type Day, type DayRange, type Preset } from '../dates'
import { Field } from './Field'
import { days as daysWritten } from '../format'
import { Icon } from '../Icon'
import { Popover } from '../overlay/Popover'
import { TextInput } from './TextInput'

/** Days, and the name they go by: a preset moves with the calendar, `custom` stays. */
export type DateRangeValue = DayRange & { preset: Preset | 'custom' }

type DateRangeProps = {
  value: DateRangeValue
  onChange: (value: DateRangeValue) => void
  /** Whose midnight it is: the project's. */
  timeZone: string
  label?: string
}

/** Which days a page is about. */
export function DateRange({ value, onChange, timeZone, label = 'Date range' }: DateRangeProps) {
  const [isOpen, setOpen] = useState(false)
  const [today, setToday] = useState(value.to)
  const words = value.preset === 'custom' ? daysWritten(value) : presets[value.preset].label
  const choose = (next: DateRangeValue) => {
    setOpen(false)
    onChange(next)
  }

  return (
    <Popover
      label={label}
      labelHidden
      flush
      align="end"
      open={isOpen}
      onOpenChange={(open) => {
        setToday(dayAt(new Date(), timeZone))
        setOpen(open)
      }}
      trigger={
        <Button
          aria-label={`${label}: ${words}`}
          icon={<Icon of={CalendarDays} className="text-faint" />}
          iconEnd={<Icon of={ChevronDown} size="sm" className="text-faint" />}
        >
          {words}
        </Button>
      }
    >
      <Choice value={value} today={today} timeZone={timeZone} onChoose={choose} />
    </Popover>
  )
}

type ChoiceProps = {
  value: DateRangeValue
  today: Day
  timeZone: string
  onChoose: (value: DateRangeValue) => void
}

function Choice({ value, today, timeZone, onChoose }: ChoiceProps) {
  const choosePreset = (preset: Preset) => onChoose({ preset, ...presets[preset].days(today) })

  return (
    <div className="flex flex-col sm:flex-row">
      <ul
        aria-label="Presets"
        className="grid grid-cols-2 gap-px border-line p-2 max-sm:border-b sm:flex sm:w-40 sm:flex-col sm:border-r"
      >
        {Object.entries(presets).map(([name, { label }]) => (
          <PresetButton
            key={name}
            label={label}
            isChosen={name === value.preset}
            // Object.entries forgets that these names are the presets' own.
            onChoose={() => choosePreset(name as Preset)}
          />
        ))}
      </ul>
      <Custom value={value} today={today} timeZone={timeZone} onChoose={onChoose} />
    </div>
  )
}

function PresetButton({
  label,
  isChosen,
  onChoose,
}: {
  label: string
  isChosen: boolean
  onChoose: () => void
}) {
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

/** The first pick begins a range, the second ends it, whichever is earlier. */
function Custom({ value, today, timeZone, onChoose }: ChoiceProps) {
  const [draft, setDraft] = useState<{ from: Day; to?: Day }>({ from: value.from, to: value.to })
  const pick = (day: Day) => setDraft(draft.to === undefined ? inOrder(draft.from, day) : { from: day })
  const type = (end: Partial<DayRange>) => setDraft({ ...draft, ...end })
  const chosen = draft.to && isDay(draft.from) && isDay(draft.to) ? inOrder(draft.from, draft.to) : undefined

  return (
    <div className="flex flex-col gap-3 p-3">
      <Calendar key={value.to} from={draft.from} to={draft.to} today={today} max={today} onPick={pick} />
      <div className="flex w-62 gap-2 [&>*]:flex-1">
        <Field label="From">
          <TextInput
            type="date"
            required
            value={draft.from}
            max={today}
            onChange={(event) => type({ from: event.target.value })}
          />
        </Field>
        <Field label="To">
          <TextInput
            type="date"
            required
            value={draft.to ?? ''}
            max={today}
            onChange={(event) => type({ to: event.target.value })}
          />
        </Field>
      </div>
      <div className="flex items-center justify-between gap-2">
        <span className="text-2xs text-faint">{timeZone}</span>
        <Button
          size="sm"
          variant="primary"
          disabledReason={chosen ? undefined : 'Choose an end date'}
          onClick={() => chosen && onChoose({ preset: 'custom', ...chosen })}
        >
          Apply
        </Button>
      </div>
    </div>
  )
}
