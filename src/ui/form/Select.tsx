'use client'

import { Select as Base } from '@base-ui/react/select'
import { clsx } from 'clsx'
import { Check, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { controlClass, fitControlClass } from './control'
import { groupLabelClass, optionClass, popupClass } from '../overlay/floating'
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

/** One of a list short enough to read; for longer ones, Combobox. Belongs in a Field, or needs `aria-label`. */
export function Select<Value extends string>({
  options,
  onChange,
  placeholder = 'Choose…',
  ...props
}: SelectProps<Value>) {
  const { fit, lead, 'aria-label': label, ...choice } = props
  const flat = options.flatMap((option) => ('options' in option ? [...option.options] : [option]))

  return (
    <Base.Root {...choice} items={flat} onValueChange={(value) => value !== null && onChange?.(value)}>
      <Base.Trigger
        aria-label={label}
        className={clsx(
          fit ? fitControlClass : controlClass,
          'flex items-center gap-2 pr-2 text-left select-none',
        )}
      >
        {lead && <span className="font-normal text-muted">{lead}</span>}
        <Base.Value placeholder={placeholder} className="grow truncate data-placeholder:text-faint" />
        <Base.Icon className="flex text-faint">
          <Icon of={ChevronsUpDown} size="sm" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner
          alignItemWithTrigger={false}
          sideOffset={4}
          collisionPadding={8}
          align="start"
          className="z-float"
        >
          <Base.Popup
            className={clsx(
              popupClass,
              'max-h-[min(24rem,var(--available-height))] min-w-(--anchor-width) overflow-y-auto p-1',
            )}
          >
            {options.map((option) =>
              'options' in option ? (
                <Group key={option.label} {...option} />
              ) : (
                <Option key={option.value} {...option} />
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function Group<Value extends string>({ label, options }: SelectGroup<Value>) {
  return (
    <Base.Group>
      <Base.GroupLabel className={groupLabelClass}>{label}</Base.GroupLabel>
      {options.map((option) => (
        <Option key={option.value} {...option} />
      ))}
    </Base.Group>
  )
}

function Option<Value extends string>({ value, label, icon, hint, disabled }: SelectOption<Value>) {
  return (
    <Base.Item value={value} disabled={disabled} className={optionClass}>
      {icon && <span className="flex text-faint">{icon}</span>}
      <span className="min-w-0 grow">
        <Base.ItemText>{label}</Base.ItemText>
        {hint && <span className="block text-xs text-muted">{hint}</span>}
      </span>
      <Base.ItemIndicator className="flex pl-3 text-accent-ink">
        <Icon of={Check} />
      </Base.ItemIndicator>
    </Base.Item>
  )
}
