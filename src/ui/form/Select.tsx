'use client'

import { clsx } from 'clsx'
import { ChevronsUpDown } from 'lucide-react'
import { type ComponentType, type KeyboardEvent, type ReactNode, useState } from 'react'
import { controlClass, fitControlClass } from './internal/control'
import { type Activation, activationOf, deferred, useDeferredControl } from '../deferral/deferred'
import { unloadedControl, useFieldAround } from './internal/field-around'
import { Icon } from '../Icon'

export type SelectOption<Value extends string> = {
  value: Value
  label: string
  icon?: ReactNode
  hint?: string
  disabled?: boolean
}
export type SelectGroup<Value extends string> = { label: string; options: readonly SelectOption<Value>[] }

export type SelectProps<Value extends string> = {
  options: readonly (SelectOption<Value> | SelectGroup<Value>)[]
  value?: Value | null
  defaultValue?: Value
  onChange?: (value: Value) => void
  placeholder?: string
  /** Words before the chosen one, inside the button: "Group by" Country. */
  lead?: string
  name?: string
  required?: boolean
  disabled?: boolean
  /** As wide as what is chosen, for toolbars; otherwise it fills its Field. */
  fit?: boolean
  'aria-label'?: string
}

const fullSelect = deferred(async () => (await import('./internal/FullSelect')).FullSelect)

/** One of a list short enough to read; for longer ones, Combobox. Belongs in a Field, or needs `aria-label`. */
export function Select<Value extends string>(props: SelectProps<Value>) {
  const { Control, activation, isLoading, activate, nearness } = useDeferredControl(fullSelect)
  // a generic component loses its parameter where it is held in state
  const Loaded = Control as
    | ComponentType<SelectProps<Value> & { activation: Activation | undefined }>
    | undefined
  if (Loaded) return <Loaded {...props} activation={activation} />
  return <ClosedSelect {...props} isLoading={isLoading} activate={activate} nearness={nearness} />
}

type ClosedSelectProps<Value extends string> = SelectProps<Value> &
  Pick<ReturnType<typeof useDeferredControl>, 'activate' | 'nearness' | 'isLoading'>

function ClosedSelect<Value extends string>({ value, defaultValue, ...props }: ClosedSelectProps<Value>) {
  const field = useFieldAround()
  const [first] = useState(defaultValue)
  const chosen = value === undefined ? first : value
  const sentAs = field?.name ?? props.name
  return (
    <>
      <ClosedButton {...props} value={chosen} />
      {sentAs && !props.disabled && <input type="hidden" name={sentAs} value={chosen ?? ''} />}
    </>
  )
}

function ClosedButton<Value extends string>({
  value,
  lead,
  disabled,
  required,
  'aria-label': label,
  ...props
}: ClosedSelectProps<Value>) {
  const field = useFieldAround()
  const { activate } = props
  return (
    <button
      type="button"
      // as Base UI marks the button of a select
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="combobox"
      {...{ [unloadedControl]: '' }}
      aria-haspopup="listbox"
      aria-expanded={false}
      // there is no list yet
      aria-controls={undefined}
      aria-label={label}
      aria-labelledby={label ? undefined : field?.labelId}
      aria-describedby={field?.notesId}
      aria-required={required || undefined}
      aria-busy={props.isLoading || undefined}
      disabled={disabled}
      data-disabled={disabled ? '' : undefined}
      className={selectClass(props.fit)}
      {...props.nearness}
      onClick={(event) => activate(activationOf(event))}
      onKeyDown={(event) => {
        const next = activationByKey(event)
        if (!next) return
        event.preventDefault()
        activate(next)
      }}
    >
      {lead && <span className="font-normal text-muted">{lead}</span>}
      <ChosenLabel {...props} value={value} />
      <span aria-hidden className="flex text-faint">
        <Icon of={ChevronsUpDown} size="sm" />
      </span>
    </button>
  )
}

function ChosenLabel<Value extends string>({
  options,
  value,
  placeholder = 'Choose…',
}: Pick<SelectProps<Value>, 'options' | 'value' | 'placeholder'>) {
  const label = flatOptions(options).find((option) => option.value === value)?.label ?? value
  return <span className={clsx('grow truncate', !label && 'text-faint')}>{label || placeholder}</span>
}

/** Arrows open the list; a letter chooses what begins with it. */
function activationByKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): Activation | undefined {
  if (key === 'ArrowDown' || key === 'ArrowUp') return { by: 'keyboard', key }
  const isLetter = key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey
  return isLetter ? { by: 'typing', text: key } : undefined
}

export const flatOptions = <Value extends string>(
  options: SelectProps<Value>['options'],
): SelectOption<Value>[] =>
  options.flatMap((option) => ('options' in option ? [...option.options] : [option]))

export const selectClass = (fit: boolean | undefined) =>
  clsx(fit ? fitControlClass : controlClass, 'flex items-center gap-2 pr-2 text-left select-none')
