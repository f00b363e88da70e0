import type { FormEvent } from 'react'
import { inOrder, isDay } from '#ui/dates'
import { FormDialog } from '#ui/overlay/FormDialog'
import { Field } from '#ui/form/Field'
import { TextInput } from '#ui/form/TextInput'
import { asText } from '#studio/parts/form-data'

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
  const [from = '', to = ''] = value?.includes('..') ? value.split('..') : [today, today]

  function choose(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const formData = new FormData(event.currentTarget)
    const [first, last] = [asText(formData.get('from')), asText(formData.get('to'))]
    if (!isDay(first) || !isDay(last)) return
    const days = inOrder(first, last)
    onChoose(`${days.from}..${days.to}`)
  }

  return (
    <FormDialog
      title={title}
      size="sm"
      open={open}
      onOpenChange={(isOpen) => !isOpen && close()}
      submit="Apply"
      form={{ onSubmit: choose }}
    >
      <div className="grid grid-cols-2 gap-3">
        <Field label="Start date" name="from">
          <TextInput type="date" required defaultValue={from} />
        </Field>
        <Field label="End date" name="to">
          <TextInput type="date" required defaultValue={to} />
        </Field>
      </div>
    </FormDialog>
  )
}
