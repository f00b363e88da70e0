'use client'

import {
  type PointerEvent,
  type FocusEvent,
  type ReactElement,
  type ReactNode,
  useRef,
  useState,
} from 'react'
import { deferred, loadAhead } from '../deferral/deferred'
import { Extended } from '../deferral/trigger'
import { WhenOpened } from '../deferral/WhenOpened'

const layer = deferred(async () => (await import('./internal/TooltipLayer')).TooltipLayer)

/** A pointer that passes over asks nothing; on its way to the tooltip it may leave both for a moment. */
const restsForMs = 400
const leavesForMs = 100

/** A word on hover and focus. For eyes only: whatever it says, the thing under it must also say to a screen reader. */
export function Tooltip({
  label,
  shortcut,
  side = 'top',
  children,
}: {
  label: ReactNode
  shortcut?: string
  side?: 'top' | 'right' | 'bottom' | 'left'
  children: ReactElement
}) {
  const [isOpen, setOpen] = useState(false)
  const anchor = useRef<HTMLElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  const turn = (next: boolean, afterMs = 0) => {
    clearTimeout(timer.current)
    if (afterMs === 0) setOpen(next)
    else timer.current = setTimeout(setOpen, afterMs, next)
  }
  const enter = ({ pointerType }: PointerEvent) => {
    if (pointerType === 'touch') return
    loadAhead(layer)
    turn(true, restsForMs)
  }
  const focus = ({ target }: FocusEvent) => target.matches(':focus-visible') && turn(true)
  const leave = () => turn(false, leavesForMs)

  return (
    <>
      <Extended
        element={children}
        ref={anchor}
        onPointerEnter={enter}
        onPointerLeave={leave}
        onPointerDown={() => turn(false)}
        onFocus={focus}
        onBlur={() => turn(false)}
      />
      <WhenOpened isOpen={isOpen} load={layer} onFailure={() => turn(false)}>
        {(Layer) => (
          <Layer
            {...{ label, shortcut, side, anchor }}
            open={isOpen}
            onOpenChange={(next) => turn(next)}
            onPointerEnter={() => turn(true)}
            onPointerLeave={leave}
          />
        )}
      </WhenOpened>
    </>
  )
}
