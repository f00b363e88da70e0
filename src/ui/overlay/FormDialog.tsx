'use client'

import { type ComponentProps, type ReactNode, useId } from 'react'
import { Button } from '../Button'
import { Form } from '../form/Form'
import { Dialog, DialogClose, type DialogProps } from './Dialog'

export interface FormDialogProps extends Omit<DialogProps, 'footer'> {
  /** The props of the form: its errors, and the handler that sends it. */
  form: Pick<ComponentProps<typeof Form>, 'errors' | 'onSubmit'>
  /** The label of the button that sends the form. */
  submit: string
  isPending?: boolean
  /** Why the form cannot be sent yet. */
  incomplete?: string | undefined
  /** Takes the place of the form once it is sent, such as a link that is shown once. */
  outcome?: { body: ReactNode; footer: ReactNode } | undefined
}

/** A form in a dialog, with a button to cancel and one to send it. */
export function FormDialog({
  form,
  submit,
  isPending,
  incomplete,
  outcome,
  children,
  ...dialog
}: FormDialogProps) {
  const id = useId()
  if (outcome)
    return (
      <Dialog {...dialog} footer={outcome.footer}>
        {outcome.body}
      </Dialog>
    )
  return (
    <Dialog
      {...dialog}
      footer={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="primary" form={id} busy={isPending} disabledReason={incomplete}>
            {submit}
          </Button>
        </>
      }
    >
      <Form id={id} {...form}>
        {children}
      </Form>
    </Dialog>
  )
}
