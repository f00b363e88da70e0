'use client'

import { Combobox as Base } from '@base-ui/react/combobox'
import { clsx } from 'clsx'
import { Check, ChevronsUpDown, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { bareInputClass, controlGroupClass } from './control'
import { optionClass, popupClass } from '../overlay/floating'
import { Icon } from '../Icon'
import { Spinner } from '../Spinner'

export type ComboboxOption = {
  value: string
  label: string
  hint?: string
  icon?: ReactNode
  disabled?: boolean
}

type SharedComboboxProps = {
  options: readonly ComboboxOption[]
  placeholder?: string
  name?: string
  disabled?: boolean
  required?: boolean
  /** What to say when nothing matches. */
  nothingFound?: string
  /** Accepts what is typed even if it is not in the list. */
  allowOther?: boolean
  /** The list comes from elsewhere: called with what is typed, answered by new `options`. */
  onSearch?: (typed: string) => void
  /** The answer to `onSearch` is on its way. */
  searching?: boolean
  'aria-label'?: string
}

export type ComboboxProps = SharedComboboxProps & {
  value: string | null
  onChange: (value: string | null) => void
}
export type MultiComboboxProps = SharedComboboxProps & {
  values: readonly string[]
  onChange: (values: string[]) => void
}

/** One of many: type to narrow the list. Belongs in a Field, or needs `aria-label`. */
export function Combobox({ value, onChange, ...props }: ComboboxProps) {
  const { typed, root, list } = useTyping({ ...props, keepsText: value !== null })
  const chosen = value === null ? null : optionFor(value, props.options)

  return (
    <Base.Root<ComboboxOption>
      {...root}
      value={chosen}
      onValueChange={(option, details) => {
        if (!isByEscape(details)) onChange(option?.value ?? null)
      }}
    >
      <Base.InputGroup className={controlGroupClass}>
        {chosen?.icon && <span className="flex pl-2.5 text-faint">{chosen.icon}</span>}
        <Base.Input
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

/** Any of many, kept as chips in the box. Backspace removes the last. */
export function MultiCombobox({ values, onChange, ...props }: MultiComboboxProps) {
  const { typed, root, list } = useTyping(props)
  const chosen = values.map((value) => optionFor(value, props.options))

  return (
    <Base.Root<ComboboxOption, true>
      {...root}
      multiple
      value={chosen}
      onValueChange={(options, details) => {
        if (!isByEscape(details)) onChange(options.map((option) => option.value))
      }}
    >
      <Base.InputGroup className={controlGroupClass}>
        <Base.Chips className="flex min-w-0 grow flex-wrap items-center gap-1 p-1">
          {chosen.map((option) => (
            <Chip key={option.value} {...option} />
          ))}
          <Base.Input
            aria-label={props['aria-label']}
            placeholder={values.length === 0 ? props.placeholder : undefined}
            className="h-5.5 w-16 grow bg-transparent px-1.5 outline-none placeholder:text-faint"
          />
        </Base.Chips>
      </Base.InputGroup>
      <List {...list} typed={typed} />
    </Base.Root>
  )
}

/**
 * Base UI empties a closed box on Escape. Here Escape closes the list or takes back what is typed, and leaves what is
 * chosen: an emptied condition lets everybody in. The key goes on to a dialog around the box.
 */
function isByEscape(details: Base.Root.ChangeEventDetails): boolean {
  if (details.reason !== 'escape-key') return false
  details.cancel()
  details.allowPropagation()
  return true
}

/** What is typed, and what the two kinds do with it. */
function useTyping({
  options,
  onSearch,
  searching,
  nothingFound,
  allowOther,
  name,
  disabled,
  required,
  keepsText = false,
}: SharedComboboxProps & {
  /** Whether the text in the box is the chosen option's, which Escape leaves. */
  keepsText?: boolean
}) {
  const [typed, setTyped] = useState('')
  const items = allowOther ? withOther(options, typed) : options

  return {
    typed,
    list: { searching, nothingFound },
    root: {
      items,
      name,
      disabled,
      required,
      autoHighlight: true,
      itemToStringLabel: (option: ComboboxOption) => option.label,
      itemToStringValue: (option: ComboboxOption) => option.value,
      isItemEqualToValue: (one: ComboboxOption, other: ComboboxOption) => one.value === other.value,
      // with `onSearch` the options are filtered already
      filter: onSearch ? null : undefined,
      onInputValueChange: (next: string, details: Base.Root.ChangeEventDetails) => {
        const { reason } = details
        if (reason === 'escape-key' && keepsText) return details.cancel()
        setTyped(next)
        if (reason === 'input-change' || reason === 'input-clear') onSearch?.(next)
      },
    },
  }
}

function withOther(options: readonly ComboboxOption[], typed: string): readonly ComboboxOption[] {
  const other = typed.trim()
  if (!other || options.some((option) => option.label === other || option.value === other)) return options
  return [...options, { value: other, label: other, hint: 'As typed' }]
}

/** A value that is not, or not yet, in the list is shown as it is. */
const optionFor = (value: string, options: readonly ComboboxOption[]): ComboboxOption =>
  options.find((option) => option.value === value) ?? { value, label: value }

function Chip({ label }: ComboboxOption) {
  return (
    <Base.Chip
      aria-label={label}
      className={clsx(
        'flex h-5.5 max-w-full items-center rounded-sm border border-line bg-sunken pl-1.5 text-xs',
        'font-medium outline-none focus-within:bg-accent-soft data-highlighted:border-accent-line',
        'data-highlighted:bg-accent-soft',
      )}
    >
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
            {!searching &&
              (nothingFound ?? (typed ? `Nothing matches “${typed}”` : 'Nothing to choose from'))}
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
      {option.hint && <span className="shrink-0 text-xs text-faint">{option.hint}</span>}
      <Base.ItemIndicator className="flex text-accent-ink">
        <Icon of={Check} />
      </Base.ItemIndicator>
    </Base.Item>
  )
}
