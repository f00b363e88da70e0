'use client'

import { Minus, Plus } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import { bareInputClass, controlGroupClass } from './internal/control'
import { useFieldAround } from './internal/field-around'
import { useNoForm } from './internal/no-form'
import { Icon } from '../Icon'
import { Input } from '@base-ui/react/input'

type NumberInputProps = {
  value?: number | null
  defaultValue?: number
  onChange?: (value: number | null) => void
  min?: number
  max?: number
  step?: number
  /** The unit of the number: `%`, `minutes`. */
  unit?: string
  name?: string
  required?: boolean
  disabled?: boolean
  placeholder?: string
  'aria-label'?: string
}

const stepClass =
  'grid w-7 shrink-0 place-items-center self-stretch text-muted hover:bg-hover hover:text-ink disabled:opacity-40'

/** A number: arrow keys step, Shift steps by ten. Belongs in a Field, or needs `aria-label`. */
export function NumberInput({ unit, name, ...settings }: NumberInputProps) {
  const { placeholder, required, disabled, 'aria-label': label, step = 1, min, max } = settings
  const sentAs = useFieldAround()?.name ?? name
  const form = useNoForm()
  const { number, text, type, move, finish } = useNumber(settings)

  return (
    <div className={controlGroupClass}>
      <Input
        {...{ placeholder, required, disabled }}
        aria-label={label}
        // the number is sent, not the text with its commas
        form={form}
        inputMode={Number.isInteger(step) ? 'numeric' : 'decimal'}
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => type(target.value)}
        onBlur={finish}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          const steps = stepsOf(event)
          if (event.key !== 'Enter' && steps === undefined) return
          // a form that moves the focus would hand the same Enter to another field
          event.preventDefault()
          if (steps === undefined) submitAround(event.currentTarget)
          else move(steps)
        }}
        className={`${bareInputClass} tabular-nums`}
      />
      {sentAs && <input type="hidden" name={sentAs} value={number ?? ''} disabled={disabled} />}
      {unit && <span className="shrink-0 pr-2.5 text-faint">{unit}</span>}
      <Step label="Decrease" icon={Minus} disabled={disabled || number === min} onPress={() => move(-1)} />
      <Step label="Increase" icon={Plus} disabled={disabled || number === max} onPress={() => move(1)} />
    </div>
  )
}

/** Does what Enter does in an input of the form: presses its first submit button, which may refuse. */
function submitAround(input: HTMLElement) {
  const form = input.closest('form')
  const button = [...(form?.elements ?? [])].find(
    (element) => element instanceof HTMLButtonElement && element.type === 'submit',
  )
  if (button instanceof HTMLButtonElement) button.click()
  else form?.requestSubmit()
}

function useNumber({
  value,
  defaultValue,
  onChange,
  min = -Infinity,
  max = Infinity,
  step = 1,
}: Omit<NumberInputProps, 'unit' | 'name'>) {
  const [own, setOwn] = useState<number | null>(defaultValue ?? null)
  // the typed text, which need not be a number yet
  const [typed, setTyped] = useState<string>()
  const number = value === undefined ? own : value

  const put = (next: number | null) => {
    const inRange = next === null ? null : Math.min(Math.max(next, min), max)
    if (inRange === number) return
    setOwn(inRange)
    onChange?.(inRange)
  }
  return {
    number,
    text: typed ?? (number === null ? '' : shownNumber.format(number)),
    type: (text: string) => {
      setTyped(text)
      const next = numberIn(text)
      if (next !== undefined) put(next)
    },
    move: (steps: number) => {
      setTyped(undefined)
      put(stepped(number ?? 0, steps * step))
    },
    finish: () => setTyped(undefined),
  }
}

const shownNumber = new Intl.NumberFormat('en', { maximumFractionDigits: 10 })

/** Reached by arrow keys in the box, so Tab passes it by. */
function Step({
  label,
  icon,
  disabled,
  onPress,
}: {
  label: string
  icon: typeof Minus
  disabled: boolean | undefined
  onPress: () => void
}) {
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      disabled={disabled}
      onClick={onPress}
      className={`${stepClass} border-l border-line`}
    >
      <Icon of={icon} size="sm" />
    </button>
  )
}

function stepsOf({ key, shiftKey }: KeyboardEvent): number | undefined {
  const size = shiftKey ? 10 : 1
  if (key === 'ArrowUp') return size
  return key === 'ArrowDown' ? -size : undefined
}

/** Null for an empty box, undefined for what is no number. Commas separate thousands, or are a decimal point. */
export function numberIn(text: string): number | null | undefined {
  const trimmed = text.replaceAll(/[\s\u00a0_']/g, '')
  if (trimmed === '') return null
  const plain = /^-?\d{1,3}(?:,\d{3})+(?:\.\d*)?$/.test(trimmed)
    ? trimmed.replaceAll(',', '')
    : trimmed.replace(',', '.')
  return /^-?(?:\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : undefined
}

/** 0.1 + 0.2 is 0.3 to a person. */
export const stepped = (from: number, by: number): number => Number((from + by).toFixed(10))
