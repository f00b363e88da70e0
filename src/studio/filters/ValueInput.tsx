'use client'

import { useState } from 'react'
import type { Json } from '#events/event'
import { codeOfValues, valueName } from '#events/value-names'
import type { OperandKind } from '#filters/vocabulary'
import type { ValueOption } from '#insights/text/name-suggestions'
import { CountryFlag } from '#ui/CountryFlag'
import { Combobox, type ComboboxOption, MultiCombobox } from '#ui/form/Combobox'
import { number as inDigits } from '#ui/format'
import { NumberInput } from '#ui/form/NumberInput'
import { TextInput } from '#ui/form/TextInput'
import type { PropertySubject } from './draft'
import { useValueSuggestions } from './use-suggestions'

interface FilterValueInputProps {
  label: string
  subject: PropertySubject
  takes: OperandKind
  value: Json | undefined
  onChange: (next: Json | undefined) => void
  projectSlug: string
  event: string | null | undefined
}

/** The field for the value that a property is compared with, as the chosen operator takes it. */
export function ValueInput(props: FilterValueInputProps) {
  const { takes } = props
  if (takes === 'nothing') return null
  if (takes === 'many') return <TextValues {...props} />
  if (takes === 'number') return <NumberValue {...props} />
  if (takes === 'range') return <NumberRange {...props} />
  if (takes === 'date') return <TimeValueInput {...props} />
  return <TextValue {...props} />
}

const placeholders: Partial<Record<OperandKind, string>> = {
  version: '1.2.3',
  pattern: 'A regular expression',
}

function TextValue({ label, value, onChange, takes }: FilterValueInputProps) {
  return (
    <TextInput
      aria-label={label}
      placeholder={placeholders[takes] ?? 'Value'}
      mono={takes === 'pattern' || takes === 'version'}
      value={textIn(value)}
      onChange={({ target }) => onChange(target.value || undefined)}
    />
  )
}

const textIn = (value: Json | undefined): string =>
  typeof value === 'object' || value === undefined ? '' : String(value)

function TextValues({ label, value, onChange, projectSlug, subject, event }: FilterValueInputProps) {
  const [typed, setTyped] = useState('')
  const { found, isLoading } = useValueSuggestions(projectSlug, subject, typed, event)

  return (
    <MultiCombobox
      aria-label={label}
      placeholder="Any of these values"
      options={found.map((one) => optionOf(subject, one))}
      shownOption={(one) => shownOption(subject, one)}
      otherHint={hintFor(subject, 0)}
      values={listOf(value)}
      onChange={(values) => onChange(values.length > 0 ? values : undefined)}
      onSearch={setTyped}
      searching={isLoading}
      allowOther
    />
  )
}

const optionOf = (subject: PropertySubject, { value, label, count }: ValueOption): ComboboxOption => ({
  ...shownOption(subject, value),
  label: value === '' ? '(empty)' : label,
  hint: hintFor(subject, count),
})

/** Values of persons are counted by the persons of the last 30 days, all others by events. */
const hintFor = ({ type }: PropertySubject, count: number): string =>
  count > 0 ? inDigits(count) : type === 'person' ? 'No recent person has it' : 'No events with it'

const shownOption = ({ type, key }: PropertySubject, value: string): ComboboxOption => ({
  value,
  label: type === 'group' || value === '' ? value : valueName(key, value),
  icon: type !== 'group' && codeOfValues(key) === 'country' ? <CountryFlag country={value} /> : undefined,
})

const listOf = (value: Json | undefined): string[] =>
  value === undefined || value === null ? [] : (Array.isArray(value) ? value : [value]).map(String)

function NumberValue({ label, value, onChange }: FilterValueInputProps) {
  return (
    <NumberInput
      aria-label={label}
      placeholder="Number"
      value={numberIn(value)}
      onChange={(next) => onChange(next ?? undefined)}
    />
  )
}

function NumberRange({ label, value, onChange }: FilterValueInputProps) {
  const [least, most] = Array.isArray(value) ? value : []
  const put = (pair: [number | null, number | null]) => onChange(pair)

  return (
    <div className="flex items-center gap-1.5">
      <NumberInput
        aria-label={`${label}, at least`}
        value={numberIn(least)}
        onChange={(next) => put([next, numberIn(most)])}
      />
      <span className="text-muted">and</span>
      <NumberInput
        aria-label={`${label}, at most`}
        value={numberIn(most)}
        onChange={(next) => put([numberIn(least), next])}
      />
    </div>
  )
}

const numberIn = (value: Json | undefined): number | null =>
  typeof value === 'number' ? value : typeof value === 'string' && value !== '' ? Number(value) : null

const timeInputLabels = [
  { value: '-1d', label: '1 day ago' },
  { value: '-7d', label: '7 days ago' },
  { value: '-30d', label: '30 days ago' },
  { value: '-90d', label: '90 days ago' },
  { value: '-1y', label: '1 year ago' },
]

/** A day or an instant as it is written, or so long ago. */
function TimeValueInput({ label, value, onChange }: FilterValueInputProps) {
  return (
    <Combobox
      aria-label={label}
      placeholder="2026-11-21 or relative"
      options={timeInputLabels}
      value={textIn(value) || null}
      onChange={(next) => onChange(next ?? undefined)}
      allowOther
    />
  )
}
