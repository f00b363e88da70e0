import type { ReactNode } from 'react'
import { Anchor, type AnchorProps } from './Anchor'
import { pressClass, type PressLook } from './press'

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
}: Omit<AnchorProps, 'className'> & PressLook & { icon?: ReactNode; iconEnd?: ReactNode }) {
  return (
    <Anchor {...props} className={pressClass({ variant, size, square, wide })}>
      {icon && <span className="-ml-0.5 flex first:last:ml-0">{icon}</span>}
      {children}
      {iconEnd && <span className="-mr-0.5 flex">{iconEnd}</span>}
    </Anchor>
  )
}
