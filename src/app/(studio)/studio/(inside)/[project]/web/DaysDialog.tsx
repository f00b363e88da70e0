'use client'

import { useId } from 'react'
import { Button } from '#ui/Button'
import { inOrder, isDay } from '#ui/dates'
import { Dialog, DialogClose } from '#ui/overlay/Dialog'
import { Field } from '#ui/form/Field'
import { Form } from '#ui/form/Form'
import { TextInput } from '#ui/form/TextInput'
import { asText } from '#app/(studio)/form-data'

/** Days between any two, as `2026-01-01..2026-01-31`. */
export function DaysDialog({
  title,
  open,
  close,
  value,
  today,
  onChoose,
}: {
  title: string
  open: boolean
  close: () => void
  value: string | undefined
  today: string
  onChoose: (days: string) => void
}) {
  const id = useId()
  const [from = '', to = ''] = value?.includes('..') ? value.split('..') : [today, today]

  return (
    <Dialog
      title={title}
      size="sm"
      open={open}
      onOpenChange={(isOpen) => !isOpen && close()}
      footer={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" variant="primary" form={id}>
            Show them
          </Button>
        </>
      }
    >
      <Form
        id={id}
        onSubmit={(event) => {
          event.preventDefault()
          const formData = new FormData(event.currentTarget)
          const [first, last] = [asText(formData.get('from')), asText(formData.get('to'))]
          if (!isDay(first) || !isDay(last)) return
          const days = inOrder(first, last)
          onChoose(`${days.from}..${days.to}`)
        }}
      >
        <div className="grid grid-cols-2 gap-3">
          <Field label="First day" name="from">
            <TextInput type="date" required defaultValue={from} />
          </Field>
          <Field label="Last day" name="to">
            <TextInput type="date" required defaultValue={to} />
          </Field>
        </div>
      </Form>
    </Dialog>
  )
}
