'use client'

import { clsx } from 'clsx'
import { ChevronsUpDown, X } from 'lucide-react'
import { type ComponentProps, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { bareInputClass, controlGroupClass } from './internal/control'
import { activationOf, deferred, useDeferredControl } from '../deferral/deferred'
import { unloadedControl, useFieldAround } from './internal/field-around'
import { Icon } from '../Icon'

export type ComboboxOption = {
  value: string
  label: string
  hint?: string
  icon?: ReactNode
  /** Marked with a check mark in the list. */
  isVerified?: boolean
  disabled?: boolean
}

export type SharedComboboxProps = {
  options: readonly ComboboxOption[]
  placeholder?: string
  name?: string
  disabled?: boolean
  required?: boolean
  nothingFound?: string
  /** Accepts what is typed even if it is not in the list. */
  allowOther?: boolean
  /** The hint beside a typed text that is in no list. */
  otherHint?: string
  /** The option that shows a chosen value that is not in the list; without this, the value is shown as it is. */
  shownOption?: (value: string) => ComboboxOption
  /** The list comes from elsewhere: called with what is typed, answered by new `options`. */
  onSearch?: (typed: string) => void
  /** The answer to `onSearch` is on its way. */
  searching?: boolean
  'aria-label'?: string
}

export type ComboboxProps = SharedComboboxProps & {
  value: string | null
  /** Takes the typed text as the value at once; the list only suggests others. */
  keepsTyped?: boolean
  onChange: (value: string | null) => void
}
export type MultiComboboxProps = SharedComboboxProps & {
  values: readonly string[]
  onChange: (values: string[]) => void
}

const full = deferred(async () => await import('./internal/FullCombobox'))

/** One of many: type to narrow the list. Belongs in a Field, or needs `aria-label`. */
export function Combobox(props: ComboboxProps) {
  const { Control, ...closed } = useDeferredControl(full)
  if (Control) return <Control.FullCombobox {...props} activation={closed.activation} />

  const { value, onChange, required } = props
  const chosen = value === null ? undefined : optionFor(value, props)
  return (
    <div className={controlGroupClass} {...closed.nearness}>
      {chosen?.icon && <span className="flex pl-2.5 text-faint">{chosen.icon}</span>}
      <ClosedInput
        {...props}
        {...closed}
        text={chosen?.label ?? ''}
        onTyped={props.keepsTyped ? (text) => onChange(text === '' ? null : text) : undefined}
        placeholder={props.placeholder}
        className={bareInputClass}
      />
      {chosen && !required && (
        <button
          type="button"
          tabIndex={-1}
          aria-label="Clear"
          disabled={props.disabled}
          className="flex px-1 text-faint hover:text-ink"
          onClick={() => onChange(null)}
        >
          <Icon of={X} size="sm" />
        </button>
      )}
      <button
        type="button"
        tabIndex={-1}
        aria-label="Show the list"
        disabled={props.disabled}
        className="flex self-stretch px-2 text-faint hover:text-ink"
        onClick={() => closed.activate({ by: 'pointer' })}
      >
        <Icon of={ChevronsUpDown} size="sm" className="self-center" />
      </button>
      <Sent {...props} values={value === null ? [''] : [value]} />
    </div>
  )
}

/** Any of many, kept as chips in the box. Backspace removes the last. */
export function MultiCombobox(props: MultiComboboxProps) {
  const { Control, ...closed } = useDeferredControl(full)
  if (Control) return <Control.FullMultiCombobox {...props} activation={closed.activation} />

  const { values, onChange } = props
  return (
    <div className={controlGroupClass} {...closed.nearness}>
      <div className={chipsClass}>
        {values.map((value) => {
          const { label, icon } = optionFor(value, props)
          return (
            <span key={value} className={chipClass}>
              {icon && <span className="flex pr-1">{icon}</span>}
              <span className="truncate">{label}</span>
              <button
                type="button"
                tabIndex={-1}
                aria-label={`Remove ${label}`}
                className="flex px-1 text-faint hover:text-ink"
                onClick={() => onChange(values.filter((other) => other !== value))}
              >
                <Icon of={X} size="sm" />
              </button>
            </span>
          )
        })}
        <ClosedInput
          {...props}
          {...closed}
          text=""
          placeholder={values.length === 0 ? props.placeholder : undefined}
          className={chipsInputClass}
        />
      </div>
      <Sent {...props} values={values} />
    </div>
  )
}

/** The input before it has a list. What is typed in it goes on in the one with a list. */
function ClosedInput({
  text,
  placeholder,
  className,
  disabled,
  required,
  isLoading,
  activate,
  onTyped,
  'aria-label': label,
}: Pick<ComponentProps<'input'>, 'placeholder' | 'className'> &
  Pick<SharedComboboxProps, 'disabled' | 'required' | 'aria-label'> &
  Pick<ReturnType<typeof useDeferredControl>, 'isLoading' | 'activate'> & {
    text: string
    /** Takes what is typed as the value where the focus moves on before there is a list. */
    onTyped?: ((text: string) => void) | undefined
  }) {
  const field = useFieldAround()
  const [typed, setTyped] = useState<string>()
  const type = (next: string, isComposing = false) => {
    setTyped(next)
    // the input with a list takes the place of this one, which would cut a composition off
    if (!isComposing) activate({ by: 'typing', text: next })
  }
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    // typed while the page was loading, before it heard of it
    const early = input.current?.value
    if (early !== undefined && early !== text) type(early)
    // once, when it begins to hear
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  const openByKey = (event: KeyboardEvent<HTMLInputElement>) => {
    const { key, currentTarget, nativeEvent } = event
    if (nativeEvent.isComposing) return
    if (key === 'ArrowDown' || key === 'ArrowUp') event.preventDefault()
    else if (key !== 'Backspace' || currentTarget.value !== '') return
    activate({ by: 'keyboard', key })
  }

  return (
    <input
      ref={input}
      role="combobox"
      {...{ [unloadedControl]: '' }}
      aria-haspopup="listbox"
      aria-expanded={false}
      // there is no list yet
      aria-controls={undefined}
      aria-autocomplete="list"
      aria-label={label}
      aria-labelledby={label ? undefined : field?.labelId}
      aria-describedby={field?.notesId}
      aria-busy={isLoading || undefined}
      autoComplete="off"
      spellCheck={false}
      required={required}
      disabled={disabled}
      placeholder={placeholder}
      className={className}
      value={typed ?? text}
      onChange={({ target, nativeEvent }) =>
        type(target.value, nativeEvent instanceof InputEvent && nativeEvent.isComposing)
      }
      onBlur={() => typed !== undefined && onTyped?.(typed)}
      onCompositionEnd={({ currentTarget }) => type(currentTarget.value)}
      onClick={(event) => activate(activationOf(event))}
      onKeyDown={openByKey}
    />
  )
}

/** The hidden inputs that a form sends. */
function Sent({ name, disabled, values }: { name?: string; disabled?: boolean; values: readonly string[] }) {
  const field = useFieldAround()
  const sentAs = field?.name ?? name
  if (!sentAs || disabled) return null
  return values.map((value) => <input key={value} type="hidden" name={sentAs} value={value} />)
}

/** A value that is not, or not yet, in the list is shown as it is, unless the caller knows more of it. */
export const optionFor = (
  value: string,
  { options, shownOption }: Pick<SharedComboboxProps, 'options' | 'shownOption'>,
): ComboboxOption =>
  options.find((option) => option.value === value) ?? shownOption?.(value) ?? { value, label: value }

export const chipClass = clsx(
  'flex h-5.5 max-w-full items-center rounded-sm border border-line bg-sunken pl-1.5 text-xs',
  'font-medium outline-none focus-within:bg-accent-soft data-highlighted:border-accent-line',
  'data-highlighted:bg-accent-soft',
)

export const chipsClass = 'flex min-w-0 grow flex-wrap items-center gap-1 p-1'

export const chipsInputClass = 'h-5.5 w-16 grow bg-transparent px-1.5 outline-none placeholder:text-faint'
