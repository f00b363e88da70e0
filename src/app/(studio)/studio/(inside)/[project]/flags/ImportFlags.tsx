'use client'

import { FileJson } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/Button'
import { DialogClose } from '#ui/overlay/Dialog'
import { Field } from '#ui/form/Field'
import { number } from '#ui/format'
import { Icon } from '#ui/Icon'
import { Notice } from '#ui/page/Notice'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { ChangeDialog } from '#app/(studio)/ChangeDialog'
import { importFlags, type ImportedFlagsResult } from './actions'

/** Flags as PostHog exports them, or as our own API gives them. */
export function ImportFlags({ slug, whyNot }: { slug: string; whyNot: string | undefined }) {
  const [text, setText] = useState('')
  const [imported, setImported] = useState<ImportedFlagsResult>()

  function empty() {
    setText('')
    setImported(undefined)
  }

  return (
    <ChangeDialog
      title="Import flags"
      description="Paste what PostHog’s API gives for its flags, or what this one gives."
      size="lg"
      onOpen={empty}
      change={() => importFlags(slug, text)}
      onDone={setImported}
      trigger={
        <Button icon={<Icon of={FileJson} />} disabledReason={whyNot}>
          Import…
        </Button>
      }
      submit="Import"
      incomplete={text.trim() === '' ? 'Paste the flags first.' : undefined}
      outcome={imported && { body: <ImportOutcome {...imported} />, footer: <Done /> }}
    >
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
    </ChangeDialog>
  )
}

const Done = () => (
  <DialogClose>
    <Button variant="primary">Done</Button>
  </DialogClose>
)

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
