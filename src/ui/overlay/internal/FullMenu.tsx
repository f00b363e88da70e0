'use client'

import { Menu as Base } from '@base-ui/react/menu'
import { clsx } from 'clsx'
import { Check, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type Ref, useEffect, useId, useRef } from 'react'
import { Anchor } from '../../Anchor'
import type { Activation } from '../../deferral/deferred'
import { groupLabelClass, optionClass, popupClass } from './floating'
import { Icon } from '../../Icon'
import { isAppleKeyboard, isPressed } from '../../keyboard/keys'
import { KeyHint } from '../../keyboard/KeyHint'
import type { MenuEntry, MenuLine, MenuProps } from '../Menu'

/** A menu with its list. A press by pointer opened it already; one by keyboard is made again, which marks a line. */
export function FullMenu({
  trigger,
  entries,
  align = 'start',
  side = 'bottom',
  finalFocus,
  activation,
}: MenuProps & { activation?: Activation }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (activation?.by !== 'keyboard') return
    button.current?.focus()
    if (activation.key === undefined) button.current?.click()
    else button.current?.dispatchEvent(new KeyboardEvent('keydown', { key: activation.key, bubbles: true }))
    // once, for the press that brought it here
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])

  return (
    <Base.Root modal={false} defaultOpen={activation?.by === 'pointer'}>
      <Base.Trigger ref={button} render={trigger} />
      <MenuPopup entries={entries} align={align} side={side} finalFocus={finalFocus} />
    </Base.Root>
  )
}

interface MenuPopupProps
  extends
    Pick<MenuProps, 'entries' | 'finalFocus'>,
    Pick<Base.Positioner.Props, 'align' | 'side' | 'alignOffset' | 'anchor'> {
  /** The label of all entries together. */
  heading?: ReactNode
  ref?: Ref<HTMLDivElement>
}

/** The list of a menu, for a root of the same kind around it. */
export function MenuPopup({ entries, finalFocus, heading, ref, ...positioning }: MenuPopupProps) {
  return (
    <Base.Portal>
      <Base.Positioner {...positioning} sideOffset={4} collisionPadding={8} className="z-float">
        <Base.Popup
          ref={ref}
          finalFocus={finalFocus}
          onKeyDown={pressByShortcut}
          className={clsx(
            popupClass,
            'max-h-[min(32rem,var(--available-height))] min-w-44 overflow-y-auto p-1',
          )}
        >
          {heading === undefined ? (
            <Entries entries={entries} />
          ) : (
            <Base.Group>
              <Base.GroupLabel className="px-2 pt-1.5 pb-1.5 text-xs text-muted">{heading}</Base.GroupLabel>
              <Entries entries={entries} />
            </Base.Group>
          )}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  )
}

/** The keys that stand at an entry press it in the open menu too, in place of a search by its first letter. */
function pressByShortcut(event: KeyboardEvent<HTMLElement> & { preventBaseUIHandler: () => void }) {
  const entries = Array.from(event.currentTarget.querySelectorAll<HTMLElement>('[data-shortcut]'))
  const apple = isAppleKeyboard()
  const entry = entries.find(({ dataset }) => isPressed(dataset.shortcut ?? '', event, apple))
  if (!entry) return
  event.preventDefault()
  event.preventBaseUIHandler()
  entry.click()
}

const Entries = ({ entries }: { entries: MenuEntry[] }) =>
  entries.map((entry, index) => <Entry key={index} {...entry} />)

function Entry(entry: MenuEntry) {
  switch (entry.kind) {
    case 'separator':
      return <Base.Separator className="-mx-1 my-1 h-px bg-line" />
    case 'group':
      return (
        <Base.Group>
          <Base.GroupLabel className={groupLabelClass}>{entry.label}</Base.GroupLabel>
          <Entries entries={entry.entries} />
        </Base.Group>
      )
    case 'choice':
      return <Choice {...entry} />
    case 'submenu':
      return <Submenu {...entry} />
    case 'link':
      return (
        <Base.LinkItem
          render={<Anchor href={entry.href} aria-current={entry.current ? 'true' : undefined} />}
          closeOnClick
          data-shortcut={entry.shortcut}
          className={optionClass}
        >
          <EntryText {...entry} />
          {entry.current && <Icon of={Check} size="sm" className="text-accent-ink" />}
        </Base.LinkItem>
      )
    default:
      return <Action {...entry} />
  }
}

function Action({
  destructive,
  onSelect,
  disabledReason,
  ...line
}: Extract<MenuEntry, { onSelect: () => void }>) {
  return (
    <Base.Item
      onClick={onSelect}
      data-shortcut={line.shortcut}
      disabled={Boolean(disabledReason)}
      className={clsx(optionClass, destructive && 'text-danger-ink data-highlighted:bg-danger-soft')}
    >
      <EntryText {...line} disabledReason={disabledReason} destructive={destructive} />
    </Base.Item>
  )
}

function Submenu({ entries, ...line }: Extract<MenuEntry, { kind: 'submenu' }>) {
  return (
    <Base.SubmenuRoot>
      <Base.SubmenuTrigger className={clsx(optionClass, 'data-popup-open:bg-hover')}>
        <EntryText {...line} />
        <Icon of={ChevronRight} size="sm" className="-mr-1 text-faint" />
      </Base.SubmenuTrigger>
      <MenuPopup entries={entries} alignOffset={-5} />
    </Base.SubmenuRoot>
  )
}

function Choice({ label, value, options, onChange }: Extract<MenuEntry, { kind: 'choice' }>) {
  return (
    <Base.RadioGroup value={value} onValueChange={onChange}>
      <Base.GroupLabel className={groupLabelClass}>{label}</Base.GroupLabel>
      {options.map((option) => (
        <Base.RadioItem key={option.value} value={option.value} closeOnClick className={optionClass}>
          <span className="w-4">
            <Base.RadioItemIndicator className="flex text-accent-ink">
              <Icon of={Check} />
            </Base.RadioItemIndicator>
          </span>
          {option.label}
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  )
}

function EntryText({
  label,
  hint,
  icon,
  shortcut,
  disabledReason,
  destructive,
}: MenuLine & { destructive?: boolean }) {
  const id = useId()
  return (
    <>
      {icon && <span className={clsx('flex', !destructive && 'text-faint')}>{icon}</span>}
      <span className="grow">
        {label}
        {hint && <span className="block max-w-72 text-xs text-pretty text-muted">{hint}</span>}
        {disabledReason && (
          <span id={id} className="block text-2xs text-faint">
            {disabledReason}
          </span>
        )}
      </span>
      {shortcut && (
        <span className="ml-4 text-muted">
          <KeyHint keys={shortcut} />
        </span>
      )}
    </>
  )
}
