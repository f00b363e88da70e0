'use client'

import { useId, type ComponentPropsWithRef, type MouseEvent, type ReactNode } from 'react'
import { useFormStatus } from 'react-dom'
import { buttonClass, type ButtonStyle } from './keyboard/button-style'
import { Spinner } from './Spinner'
import { Tooltip } from './overlay/Tooltip'

export type ButtonProps = ButtonStyle &
  Omit<ComponentPropsWithRef<'button'>, 'disabled' | 'className'> & {
    icon?: ReactNode
    iconEnd?: ReactNode
    /** Left out on a submit button, it follows the form it is in. */
    busy?: boolean
    /** Why it cannot be pressed now. It stays visible and reachable, and says so. */
    disabledReason?: string
  }

export function Button({
  variant,
  size,
  square,
  wide,
  icon,
  iconEnd,
  busy,
  disabledReason,
  type = 'button',
  children,
  ...props
}: ButtonProps) {
  const reasonId = useId()
  const form = useFormStatus()
  const isBusy = busy ?? (type === 'submit' && form.pending)
  const isBlocked = isBusy || Boolean(disabledReason)

  const button = (
    <button
      {...(isBlocked ? blocked(props) : props)}
      type={type}
      className={buttonClass({ variant, size, square, wide })}
      // also while what it opens is loaded (Menu.tsx)
      aria-busy={isBusy || props['aria-busy'] || undefined}
      aria-disabled={isBlocked || undefined}
      aria-describedby={disabledReason ? reasonId : props['aria-describedby']}
    >
      <Content isHidden={isBusy} icon={icon} iconEnd={iconEnd}>
        {children}
      </Content>
    </button>
  )
  if (!disabledReason) return button

  return (
    <>
      <Tooltip label={disabledReason}>{button}</Tooltip>
      <span id={reasonId} hidden>
        {disabledReason}
      </span>
    </>
  )
}

function Content({
  isHidden,
  icon,
  iconEnd,
  children,
}: Pick<ButtonProps, 'icon' | 'iconEnd' | 'children'> & { isHidden: boolean }) {
  return (
    <>
      {isHidden && (
        <span className="absolute inset-0 grid place-items-center">
          <Spinner size="sm" />
        </span>
      )}
      {/* Transparent rather than gone: the button keeps its width and its name. */}
      <span className={isHidden ? 'contents [&>*]:opacity-0' : 'contents'}>
        {icon && <span className="-ml-0.5 flex first:last:ml-0">{icon}</span>}
        {children !== undefined && <span className="truncate">{children}</span>}
        {iconEnd && <span className="-mr-0.5 flex">{iconEnd}</span>}
      </span>
    </>
  )
}

/** A blocked button must not open the menu or the dialog it belongs to, so it hears nothing. */
function blocked(props: ComponentPropsWithRef<'button'>): ComponentPropsWithRef<'button'> {
  const deaf = Object.fromEntries(Object.entries(props).filter(([name]) => !/^on[A-Z]/.test(name)))
  return { ...deaf, onClick: refuse }
}

function refuse(event: MouseEvent) {
  event.preventDefault()
  event.stopPropagation()
}
