'use client'

import {
  createContext,
  type ReactElement,
  type ReactNode,
  type RefObject,
  use,
  useRef,
  useState,
} from 'react'
import { type Deferred, deferred, nearnessOf } from '../deferral/deferred'
import { Extended } from '../deferral/trigger'
import { WhenOpened } from '../deferral/WhenOpened'

export type DialogProps = {
  title: string
  /** Hides the title from sight. */
  titleHidden?: boolean
  description?: ReactNode
  /** The button that opens it. Left out when `open` is controlled. */
  trigger?: ReactElement
  open?: boolean
  onOpenChange?: (open: boolean) => void
  children?: ReactNode
  /** The actions, the main one last. */
  footer?: ReactNode
  size?: 'xs' | 'sm' | 'md' | 'lg'
  /** In the middle, or a panel along one edge. */
  place?: 'center' | 'left' | 'right'
  initialFocus?: RefObject<HTMLElement | null>
}

export type DialogLayerProps = Omit<DialogProps, 'trigger' | 'open' | 'onOpenChange'> & {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The element that gets the focus after closing; without it, the one that had it before. */
  finalFocus?: RefObject<HTMLElement | null>
}

const layer = deferred(async () => (await import('./internal/DialogLayer')).DialogLayer)

/** A question or a form above the page. Focus stays inside, Escape closes, focus returns to where it came from. */
export function Dialog({ trigger, open, onOpenChange, ...parts }: DialogProps) {
  const { isOpen, change, button } = useOpenDialog({ trigger, open, onOpenChange, prepare: layer })
  return (
    <>
      {button.element}
      <WhenOpened isOpen={isOpen} load={layer} onFailure={() => change(false)}>
        {(Layer) => (
          <CloseContext value={() => change(false)}>
            <Layer
              {...parts}
              open={isOpen}
              onOpenChange={change}
              finalFocus={trigger ? button.ref : undefined}
            />
          </CloseContext>
        )}
      </WhenOpened>
    </>
  )
}

const CloseContext = createContext<(() => void) | undefined>(undefined)

/** Wraps a button that closes the dialog around it: `<DialogClose><Button>Cancel</Button></DialogClose>`. */
export function DialogClose({ children }: { children: ReactElement }) {
  return <Extended element={children} onClick={use(CloseContext)} />
}

/** Whether a dialog is open, and the button that opens it. */
export function useOpenDialog({
  trigger,
  open,
  onOpenChange,
  prepare,
}: Pick<DialogProps, 'trigger' | 'open' | 'onOpenChange'> & { prepare: Deferred<unknown> }) {
  const [isOpenHere, setOpenHere] = useState(false)
  const ref = useRef<HTMLElement>(null)
  const isOpen = open ?? isOpenHere
  const change = (next: boolean) => {
    setOpenHere(next)
    onOpenChange?.(next)
  }
  const element = trigger && (
    <Extended
      element={trigger}
      ref={ref}
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onClick={() => change(true)}
      {...nearnessOf(prepare)}
    />
  )
  return { isOpen, change, button: { ref, element } }
}
