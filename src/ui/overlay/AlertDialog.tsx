'use client'

import type { ReactElement, ReactNode } from 'react'
import { deferred } from '../deferral/deferred'
import { WhenOpened } from '../deferral/WhenOpened'
import { useOpenDialog } from './Dialog'

/** The outcome of a confirmation. Without an error, the dialog closes. With one, it stays open and shows the error. */
type ConfirmResult = { error: string } | void

export type AlertDialogProps = {
  title: string
  body: ReactNode
  /** The verb on the button, never "OK". */
  confirmLabel: string
  onConfirm: () => ConfirmResult | Promise<ConfirmResult>
  cancelLabel?: string
  /** False for a question that destroys nothing. */
  destructive?: boolean
  /** The text to type before an action that cannot be undone. */
  typeToConfirm?: string
  trigger?: ReactElement
  open?: boolean
  onOpenChange?: (open: boolean) => void
}

const layer = deferred(async () => (await import('./internal/AlertDialogLayer')).AlertDialogLayer)

/** Asks before something is done that is hard to undo. A press outside does not answer it. */
export function AlertDialog({ trigger, open, onOpenChange, ...content }: AlertDialogProps) {
  const { isOpen, change, button } = useOpenDialog({ trigger, open, onOpenChange, prepare: layer })
  return (
    <>
      {button.element}
      <WhenOpened isOpen={isOpen} load={layer} onFailure={() => change(false)}>
        {(Layer) => (
          <Layer
            {...content}
            open={isOpen}
            onOpenChange={change}
            finalFocus={trigger ? button.ref : undefined}
          />
        )}
      </WhenOpened>
    </>
  )
}
