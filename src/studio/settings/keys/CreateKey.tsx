'use client'

import { Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/Button'
import { Checkbox } from '#ui/form/Checkbox'
import { CopyField } from '#ui/copy/CopyField'
import { DialogClose } from '#ui/overlay/Dialog'
import { FormDialog } from '#ui/overlay/FormDialog'
import { Field } from '#ui/form/Field'
import { Icon } from '#ui/Icon'
import { Notice } from '#ui/page/Notice'
import { Select } from '#ui/form/Select'
import { TextInput } from '#ui/form/TextInput'
import { useChange } from '#studio/parts/Change'
import { createKey } from './keys'
import type { KeysTableContext } from './KeysTable'
import { ScopeFields } from './ScopeFields'

const lifetimeOptions = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: '', label: 'Never' },
]

/** Creates a key, then shows its text. Closes only after the member confirms the copy: the text is not stored. */
export function CreateKey({ slug, whyNot, grantable }: KeysTableContext) {
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState<string>()
  const [isCopied, setCopied] = useState(false)
  const { form, isPending, notes, forget } = useChange({
    change: (formData) => createKey(slug, formData),
    onDone: (done) => setText(done.text),
  })

  function show(open: boolean) {
    if (!open && text && !isCopied) return
    setOpen(open)
    if (!open) return
    forget()
    setText(undefined)
    setCopied(false)
  }

  return (
    <FormDialog
      title={text ? 'Copy the key now' : 'New secret key'}
      open={isOpen}
      onOpenChange={show}
      trigger={
        <Button variant="primary" size="sm" icon={<Icon of={Plus} />} disabledReason={whyNot}>
          New key…
        </Button>
      }
      form={form}
      isPending={isPending}
      submit="Create key"
      outcome={
        text
          ? { body: <KeyText text={text} onCopied={setCopied} />, footer: <Finish isCopied={isCopied} /> }
          : undefined
      }
    >
      {notes}
      <Field label="Name" name="name" hint="Such as “Deploy script” or “Warehouse export”.">
        <TextInput autoComplete="off" />
      </Field>
      <ScopeFields grantable={grantable} error={form.errors.scopes} />
      <Field label="Expires" name="days">
        <Select options={lifetimeOptions} defaultValue="90" />
      </Field>
    </FormDialog>
  )
}

function KeyText({ text, onCopied }: { text: string; onCopied: (isCopied: boolean) => void }) {
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warning" title="Copy it now">
        The key is shown only once. Store it as a secret of your program.
      </Notice>
      <CopyField label="Secret key" value={text} />
      <Checkbox label="I have copied it" onChange={onCopied} />
    </div>
  )
}

const Finish = ({ isCopied }: { isCopied: boolean }) => (
  <DialogClose>
    <Button variant="primary" disabledReason={isCopied ? undefined : 'Copy the key, then confirm above.'}>
      Done
    </Button>
  </DialogClose>
)
