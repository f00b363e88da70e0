'use client'

import { Select as Base } from '@base-ui/react/select'
import { clsx } from 'clsx'
import { Check, ChevronsUpDown } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Activation } from '../../deferral/deferred'
import { flatOptions, selectClass, type SelectGroup, type SelectOption, type SelectProps } from '../Select'
import { groupLabelClass, optionClass, popupClass } from '../../overlay/internal/floating'
import { Icon } from '../../Icon'

/** A select with its list. */
export function FullSelect<Value extends string>({
  options,
  onChange,
  placeholder = 'Choose…',
  activation,
  ...props
}: SelectProps<Value> & { activation: Activation | undefined }) {
  const { fit, lead, 'aria-label': label, ...choice } = props
  const button = useRef<HTMLButtonElement>(null)
  const typed = activation?.by === 'typing' ? activation.text : undefined
  useEffect(() => {
    // an open list takes the focus itself
    if (typed === undefined) return
    button.current?.focus()
    button.current?.dispatchEvent(new KeyboardEvent('keydown', { key: typed, bubbles: true }))
    // once, for what brought it here
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])

  return (
    <Base.Root
      {...choice}
      defaultOpen={typed === undefined}
      items={flatOptions(options)}
      onValueChange={(value) => value !== null && onChange?.(value)}
    >
      <Base.Trigger ref={button} aria-label={label} className={selectClass(fit)}>
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
