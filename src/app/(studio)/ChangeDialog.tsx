'use client'

import { type ReactElement, type ReactNode, useId, useState } from 'react'
import { Button } from '#ui/Button'
import { Dialog, DialogClose, type DialogProps } from '#ui/overlay/Dialog'
import { Form } from '#ui/form/Form'
import type { ActionResult } from './action-result'
import { useChange } from './Change'

interface ChangeDialogProps extends Pick<DialogProps, 'title' | 'description' | 'size'> {
  trigger: ReactElement
  change: (form: FormData) => Promise<ActionResult>
  /** What the corner of the page says once it is done. */
  saved: string
  /** What the button that sends it says. */
  submit: string
  children: ReactNode
}

/** A form in a dialog, which closes once the change is made. */
export function ChangeDialog({ trigger, change, saved, submit, children, ...dialog }: ChangeDialogProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const { form, isPending, notes, forget } = useChange({ change, saved, onDone: () => setOpen(false) })

  return (
    <Dialog
      {...dialog}
      open={isOpen}
      onOpenChange={(open) => {
        setOpen(open)
        if (open) forget()
      }}
      trigger={trigger}
      footer={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="primary" form={id} busy={isPending}>
            {submit}
          </Button>
        </>
      }
    >
      <Form id={id} {...form}>
        {notes}
        {children}
      </Form>
    </Dialog>
  )
}
