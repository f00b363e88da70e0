'use client'

import { useState } from 'react'
import { FormDialog, type FormDialogProps } from '#ui/overlay/FormDialog'
import type { ActionResult } from './action-result'
import { useChange } from './Change'

interface ChangeDialogProps<Done> extends Omit<FormDialogProps, 'form' | 'isPending' | 'onOpenChange'> {
  change: (form: FormData) => Promise<ActionResult<Done>>
  saved?: string
  /** Empties the fields that the form keeps outside itself. */
  onOpen?: () => void
  /** Closes a dialog whose `open` is controlled. */
  onClose?: () => void
  /** Runs after a successful change, in place of closing. */
  onDone?: (done: Done) => void
}

/** A form in a dialog, which closes once the change is made. */
export function ChangeDialog<Done>({
  change,
  saved,
  open,
  onOpen,
  onClose,
  onDone,
  children,
  ...dialog
}: ChangeDialogProps<Done>) {
  const [isOpen, setOpen] = useState(false)
  const close = onClose ?? (() => setOpen(false))
  const { form, isPending, notes, forget } = useChange({ change, saved, onDone: onDone ?? close })

  function show(next: boolean) {
    // on closing too: a dialog with a controlled `open` is not told when it opens
    forget()
    if (!next) return close()
    onOpen?.()
    setOpen(true)
  }

  return (
    <FormDialog {...dialog} open={open ?? isOpen} onOpenChange={show} form={form} isPending={isPending}>
      {notes}
      {children}
    </FormDialog>
  )
}
