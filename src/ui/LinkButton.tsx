import type { ReactNode } from 'react'
import { Anchor, type AnchorProps } from './Anchor'
import { buttonClass, type ButtonStyle } from './keyboard/button-style'

/** A link that looks like a button: it goes somewhere, it changes nothing. */
export function LinkButton({
  variant,
  size,
  square,
  wide,
  icon,
  iconEnd,
  children,
  ...props
}: Omit<AnchorProps, 'className'> & ButtonStyle & { icon?: ReactNode; iconEnd?: ReactNode }) {
  return (
    <Anchor {...props} className={buttonClass({ variant, size, square, wide })}>
      {icon && <span className="-ml-0.5 flex first:last:ml-0">{icon}</span>}
      {children}
      {iconEnd && <span className="-mr-0.5 flex">{iconEnd}</span>}
    </Anchor>
  )
}
