'use client'

import { useState } from 'react'
import type { PostState } from '#posts/post'
import { Field } from '#ui/form/Field'
import { Notice } from '#ui/page/Notice'
import { RadioGroup } from '#ui/form/RadioGroup'
import { TextInput } from '#ui/form/TextInput'
import { useToast } from '#ui/overlay/Toast'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { publishPost } from '../actions'

interface PublishDialogProps {
  slug: string
  id: string
  title: string
  state: PostState
  timeZone: string
  /** The date planned so far, as the project's clocks show it: "2026-03-02T10:00". */
  planned: string
  /** The parts that readers would miss, a sentence each. */
  missing: readonly string[]
  /** Whether all that was written is on the server then. */
  save: () => Promise<boolean>
  onClose: () => void
}

const publishTimeOptions = [
  { value: 'now', label: 'Now', hint: 'Visible to everyone immediately.' },
  { value: 'later', label: 'Later', hint: 'Published automatically.' },
] as const

/** Now, or at a time of the project's clocks. */
export function PublishDialog(props: PublishDialogProps) {
  const { slug, id, title, state, timeZone, planned, missing, save, onClose } = props
  const showToast = useToast()
  const [when, setWhen] = useState<'now' | 'later'>(planned ? 'later' : 'now')
  const [at, setAt] = useState(planned)
  const isLater = when === 'later'

  async function publish(): ReturnType<typeof publishPost> {
    if (!(await save())) return { done: false, problems: [{ message: notSaved }] }
    return await publishPost(slug, id, isLater ? at : undefined)
  }

  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={state === 'scheduled' ? 'Publish time' : `Publish “${title}”`}
      submit={isLater ? 'Schedule' : 'Publish now'}
      incomplete={isLater && at === '' ? 'Choose a time.' : undefined}
      change={publish}
      onDone={({ note }) => {
        onClose()
        showToast({
          title: isLater ? `“${title}” is scheduled` : `“${title}” is published`,
          body: note,
          tone: 'success',
        })
      }}
    >
      {missing.length > 0 && (
        <Notice tone="warning" title="Before you publish">
          <ul className="list-disc pl-4">
            {missing.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </Notice>
      )}
      <RadioGroup boxed label="Publish" options={publishTimeOptions} value={when} onChange={setWhen} />
      {isLater && (
        <Field label="Day and time" name="at" hint={`Time zone: ${timeZone}.`}>
          <TextInput type="datetime-local" value={at} onChange={({ target }) => setAt(target.value)} />
        </Field>
      )}
    </ChangeDialog>
  )
}

const notSaved = 'The post could not be saved. Close this dialog to see why.'
