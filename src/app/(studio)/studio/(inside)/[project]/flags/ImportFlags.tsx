'use client'

import { FileJson } from 'lucide-react'
import { useId, useState } from 'react'
import { Button } from '#ui/Button'
import { Dialog, DialogClose } from '#ui/overlay/Dialog'
import { Field } from '#ui/form/Field'
import { Form } from '#ui/form/Form'
import { number } from '#ui/format'
import { Icon } from '#ui/Icon'
import { Notice } from '#ui/page/Notice'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { useChange } from '#app/(studio)/Change'
import { importFlags, type ImportedFlagsResult } from './actions'

/** Flags as PostHog exports them, or as our own API gives them. */
export function ImportFlags({ slug, whyNot }: { slug: string; whyNot: string | undefined }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [imported, setImported] = useState<ImportedFlagsResult>()
  const { form, isPending, notes, forget } = useChange({
    change: () => importFlags(slug, text),
    onDone: setImported,
  })

  function show(open: boolean) {
    setOpen(open)
    if (!open) return
    forget()
    setText('')
    setImported(undefined)
  }

  return (
    <Dialog
      title="Import flags"
      description="Paste what PostHog’s API gives for its flags, or what this one gives."
      size="lg"
      open={isOpen}
      onOpenChange={show}
      trigger={
        <Button icon={<Icon of={FileJson} />} disabledReason={whyNot}>
          Import…
        </Button>
      }
      footer={
        imported ? (
          <DialogClose>
            <Button variant="primary">Done</Button>
          </DialogClose>
        ) : (
          <Button
            type="submit"
            variant="primary"
            form={id}
            busy={isPending}
            disabledReason={text.trim() === '' ? 'Paste the flags first.' : undefined}
          >
            Import
          </Button>
        )
      }
    >
      {imported ? (
        <ImportOutcome {...imported} />
      ) : (
        <Form id={id} {...form}>
          {notes}
          <Field label="Flags as JSON" hint="One flag, a list of them, or a whole answer with “results”.">
            <Textarea mono rows={10} value={text} onChange={setText} spellCheck={false} />
          </Field>
          <Field
            label="Or a file"
            hint="It is read into the box above, so that it is seen before it is sent."
            optional
          >
            <TextInput
              type="file"
              accept="application/json,.json"
              onChange={({ target }) => void target.files?.[0]?.text().then(setText)}
            />
          </Field>
        </Form>
      )}
    </Dialog>
  )
}

function ImportOutcome({ created, changed, refused }: ImportedFlagsResult) {
  return (
    <div className="flex flex-col gap-4">
      <Notice
        tone={refused.length === 0 ? 'success' : 'warning'}
        title={`${number(created.length)} created, ${number(changed.length)} changed, ${number(refused.length)} refused`}
      >
        {[...created, ...changed].slice(0, 20).join(', ')}
      </Notice>
      {refused.length > 0 && (
        <ul className="flex flex-col gap-2">
          {refused.map(({ key, why }, index) => (
            <li key={`${key} ${index}`}>
              <span className="font-mono text-xs font-medium">{key}</span>
              <span className="block text-muted">{why}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
