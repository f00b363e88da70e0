'use client'

import { Combobox as Base } from '@base-ui/react/combobox'
import { clsx } from 'clsx'
import { BadgeCheck, Check, ChevronsUpDown, X } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import {
  chipClass,
  chipsClass,
  chipsInputClass,
  type ComboboxOption,
  optionFor,
  type ComboboxProps,
  type MultiComboboxProps,
  type SharedComboboxProps,
} from '../Combobox'
import { bareInputClass, controlGroupClass } from './control'
import type { Activation } from '../../deferral/deferred'
import { optionClass, popupClass } from '../../overlay/internal/floating'
import { Icon } from '../../Icon'
import { Spinner } from '../../Spinner'

/** The person's action on the closed form of the field. */
interface Activated {
  activation: Activation | undefined
}

/** A combobox with its list. */
export function FullCombobox({
  value,
  onChange,
  keepsTyped = false,
  activation,
  ...props
}: ComboboxProps & Activated) {
  const input = useActivatedInput(activation)
  const { typed, root, list } = useTyping({
    ...props,
    keepsText: value !== null,
    onTyped: keepsTyped ? (text) => onChange(text === '' ? null : text) : undefined,
  })
  // a typed text stays as it is typed, also where it is the value of an option of another name
  const isTyped = keepsTyped && value === typed
  const chosen = value === null ? null : isTyped ? { value, label: value } : optionFor(value, props)

  return (
    <Base.Root<ComboboxOption>
      {...root}
      defaultOpen={opensAtOnce(activation)}
      value={chosen}
      onValueChange={(option, details) => {
        if (!isByEscape(details)) onChange(option?.value ?? null)
      }}
    >
      <Base.InputGroup className={controlGroupClass}>
        {chosen?.icon && <span className="flex pl-2.5 text-faint">{chosen.icon}</span>}
        <Base.Input
          ref={input}
          aria-label={props['aria-label']}
          placeholder={props.placeholder}
          className={bareInputClass}
        />
        {value !== null && !props.required && (
          <Base.Clear aria-label="Clear" className="flex px-1 text-faint hover:text-ink">
            <Icon of={X} size="sm" />
          </Base.Clear>
        )}
        <Base.Trigger aria-label="Show the list" className="flex self-stretch px-2 text-faint hover:text-ink">
          <Icon of={ChevronsUpDown} size="sm" className="self-center" />
        </Base.Trigger>
      </Base.InputGroup>
      <List {...list} typed={typed} />
    </Base.Root>
  )
}

/** A combobox for several with its list. */
export function FullMultiCombobox({
  values,
  onChange,
  activation,
  ...props
}: MultiComboboxProps & Activated) {
  const input = useActivatedInput(activation)
  const { typed, root, list } = useTyping(props)
  const chosen = values.map((value) => optionFor(value, props))

  return (
    <Base.Root<ComboboxOption, true>
      {...root}
      defaultOpen={opensAtOnce(activation)}
      multiple
      value={chosen}
      onValueChange={(options, details) => {
        if (!isByEscape(details)) onChange(options.map((option) => option.value))
      }}
    >
      <Base.InputGroup className={controlGroupClass}>
        <Base.Chips className={chipsClass}>
          {chosen.map((option) => (
            <Chip key={option.value} {...option} />
          ))}
          <Base.Input
            ref={input}
            aria-label={props['aria-label']}
            placeholder={values.length === 0 ? props.placeholder : undefined}
            className={chipsInputClass}
          />
        </Base.Chips>
      </Base.InputGroup>
      <List {...list} typed={typed} />
    </Base.Root>
  )
}

/** Repeats the activation: types the text once more, which opens and narrows the list; presses any other key again. */
function useActivatedInput(activation: Activation | undefined) {
  const ref = useRef<HTMLInputElement>(null)
  // before anything else hears that the closed input is gone: a dialog would take the focus, and close the list
  useLayoutEffect(() => {
    // the focus was moved on while the code was loading
    const isElsewhere = document.activeElement !== null && document.activeElement !== document.body
    if (!isElsewhere) ref.current?.focus()
  }, [])
  useEffect(() => {
    const input = ref.current
    if (!input || document.activeElement !== input) return
    if (activation?.by === 'typing') retype(input, activation.text)
    if (activation?.by === 'keyboard' && activation.key === 'Backspace')
      input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Backspace', bubbles: true }))
    // once, for what brought it here
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  return ref
}

const opensAtOnce = (activation: Activation | undefined): boolean =>
  activation?.by === 'pointer' || (activation?.by === 'keyboard' && activation.key !== 'Backspace')

function retype(input: HTMLInputElement, text: string) {
  // React hears of a new value only if it was not set through the element itself
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text)
  // Base UI takes an input of no type for the browser's autofill, and opens no list
  input.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }))
}

/**
 * Base UI empties a closed box on Escape. Here Escape closes the list or takes back what is typed, and leaves what is
 * chosen: an emptied condition lets all visitors in. The key goes on to a dialog around the box.
 */
function isByEscape(details: Base.Root.ChangeEventDetails): boolean {
  if (details.reason !== 'escape-key') return false
  details.cancel()
  details.allowPropagation()
  return true
}

/** The typed text, and its use by the two kinds of combobox. */
function useTyping({
  options,
  onSearch,
  searching,
  nothingFound,
  allowOther,
  otherHint,
  name,
  disabled,
  required,
  keepsText = false,
  onTyped,
}: SharedComboboxProps & {
  /** Takes what is typed as the value. */
  onTyped?: ((text: string) => void) | undefined
  /** Whether the text in the box is the chosen option's, which Escape leaves. */
  keepsText?: boolean
}) {
  const [typed, setTyped] = useState('')
  const items = allowOther ? withOther(options, typed, otherHint) : options

  return {
    typed,
    list: { searching, nothingFound },
    root: {
      items,
      name,
      disabled,
      required,
      // Enter takes the highlighted option, and must not take another value than the typed one
      autoHighlight: !onTyped,
      itemToStringLabel: (option: ComboboxOption) => option.label,
      itemToStringValue: (option: ComboboxOption) => option.value,
      isItemEqualToValue: (one: ComboboxOption, other: ComboboxOption) => one.value === other.value,
      // with `onSearch` the options are filtered already
      filter: onSearch ? null : undefined,
      onInputValueChange: (next: string, details: Base.Root.ChangeEventDetails) => {
        const { reason } = details
        if (reason === 'escape-key' && keepsText) return details.cancel()
        setTyped(next)
        if (reason !== 'input-change' && reason !== 'input-clear') return undefined
        onTyped?.(next)
        return onSearch?.(next)
      },
    },
  }
}

function withOther(
  options: readonly ComboboxOption[],
  typed: string,
  hint = 'As typed',
): readonly ComboboxOption[] {
  const other = typed.trim()
  if (!other || options.some((option) => option.label === other || option.value === other)) return options
  return [...options, { value: other, label: other, hint }]
}

function Chip({ label, icon }: ComboboxOption) {
  return (
    <Base.Chip aria-label={label} className={chipClass}>
      {icon && <span className="flex pr-1">{icon}</span>}
      <span className="truncate">{label}</span>
      <Base.ChipRemove aria-label={`Remove ${label}`} className="flex px-1 text-faint hover:text-ink">
        <Icon of={X} size="sm" />
      </Base.ChipRemove>
    </Base.Chip>
  )
}

function List({
  typed,
  searching,
  nothingFound,
}: { typed: string } & Pick<SharedComboboxProps, 'searching' | 'nothingFound'>) {
  return (
    <Base.Portal>
      <Base.Positioner sideOffset={4} collisionPadding={8} align="start" className="z-float">
        <Base.Popup
          aria-busy={searching || undefined}
          className={clsx(popupClass, 'w-(--anchor-width) max-w-(--available-width) min-w-52')}
        >
          <Base.Status className="empty:hidden">
            {searching && (
              <span className="flex items-center gap-2 px-3 py-2 text-muted">
                <Spinner size="sm" /> Searching…
              </span>
            )}
          </Base.Status>
          <Base.Empty className="px-3 py-2 text-muted empty:hidden">
            {!searching && (nothingFound ?? (typed ? `No results for “${typed}”` : 'No options'))}
          </Base.Empty>
          <Base.List className="max-h-[min(20rem,var(--available-height))] overflow-y-auto overscroll-contain p-1 data-empty:p-0">
            {(option: ComboboxOption) => <Option key={option.value} option={option} />}
          </Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  )
}

function Option({ option }: { option: ComboboxOption }) {
  return (
    <Base.Item value={option} disabled={option.disabled} className={optionClass}>
      {option.icon && <span className="flex text-faint">{option.icon}</span>}
      <span className="min-w-0 grow truncate">{option.label}</span>
      {option.isVerified && <Icon of={BadgeCheck} size="sm" label="Verified" className="text-success-ink" />}
      {option.hint && <span className="shrink-0 text-xs text-faint">{option.hint}</span>}
      <Base.ItemIndicator className="flex text-accent-ink">
        <Icon of={Check} />
      </Base.ItemIndicator>
    </Base.Item>
  )
}
