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
import { ChangeDialog } from '#studio/parts/ChangeDialog'
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
      description="Paste flags as JSON from the API of PostHog or Tilth."
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
      incomplete={text.trim() === '' ? 'Paste the JSON first.' : undefined}
      outcome={imported && { body: <ImportOutcome {...imported} />, footer: <Done /> }}
    >
      <Field label="Flags as JSON" hint="One flag, a list of flags, or a whole response with “results”.">
        <Textarea mono rows={10} value={text} onChange={setText} spellCheck={false} />
      </Field>
      <Field label="Or upload a file" hint="Its content appears above for review." optional>
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

function ImportOutcome({ created, changed, refused, remarks }: ImportedFlagsResult) {
  return (
    <div className="flex flex-col gap-4">
      <Notice
        tone={refused.length === 0 ? 'success' : 'warning'}
        title={`${number(created.length)} created, ${number(changed.length)} changed, ${number(refused.length)} refused`}
      >
        {[...created, ...changed].slice(0, 20).join(', ')}
      </Notice>
      <Sentences of={refused} />
      <Sentences of={remarks} />
    </div>
  )
}

function Sentences({ of }: { of: ImportedFlagsResult['refused'] }) {
  if (of.length === 0) return null
  return (
    <ul className="flex flex-col gap-2">
      {of.map(({ key, why }, index) => (
        <li key={`${key} ${index}`}>
          <span className="font-mono text-xs font-medium">{key}</span>
          <span className="block text-muted">{why}</span>
        </li>
      ))}
    </ul>
  )
}
