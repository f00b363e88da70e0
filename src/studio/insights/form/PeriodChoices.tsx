import { clsx } from 'clsx'
import { Check } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/Button'
import { inOrder, isDay } from '#ui/dates'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { TextInput } from '#ui/form/TextInput'
import { KeyHint } from '#ui/keyboard/KeyHint'
import { namedPeriods, namedPeriodNames } from '#insights/calendar/named-periods'
import { periodKeyOf } from '#studio/parts/period-keys'

interface PeriodChoicesProps {
  value: string
  /** Whether the keys of the page choose among them too. */
  hasKeys: boolean
  onChoose: (period: string) => void
}

/** The named periods, and the two days of any other. */
export function PeriodChoices({ value, hasKeys, onChoose }: PeriodChoicesProps) {
  return (
    <div className="flex flex-col sm:flex-row">
      <ul
        aria-label="Presets"
        data-page-keys={hasKeys || undefined}
        className="grid grid-cols-2 gap-px border-line p-2 max-sm:border-b sm:w-80 sm:border-r"
      >
        {namedPeriodNames.map((period) => (
          <Named
            key={period}
            label={namedPeriods[period]}
            keys={hasKeys ? periodKeyOf(period) : undefined}
            isChosen={period === value}
            onChoose={() => onChoose(period)}
          />
        ))}
      </ul>
      <Days value={value} onChoose={onChoose} />
    </div>
  )
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
