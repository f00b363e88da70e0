'use client'

import { useId, useState } from 'react'
import type { PostState } from '#posts/post'
import { Button } from '#ui/Button'
import { Dialog } from '#ui/overlay/Dialog'
import { Field } from '#ui/form/Field'
import { Form } from '#ui/form/Form'
import { Notice } from '#ui/page/Notice'
import { RadioGroup } from '#ui/form/RadioGroup'
import { TextInput } from '#ui/form/TextInput'
import { useToast } from '#ui/overlay/Toast'
import { useChange } from '#app/(studio)/Change'
import { publishPost } from '../actions'

interface PublishDialogProps {
  slug: string
  id: string
  title: string
  state: PostState
  timeZone: string
  /** When it was going to appear, as the project's clocks show it: "2026-03-02T10:00". */
  planned: string
  /** What readers would miss, a sentence each. */
  missing: readonly string[]
  /** Whether all that was written is on the server then. */
  save: () => Promise<boolean>
  onClose: () => void
}

const publishTimeOptions = [
  { value: 'now', label: 'Now', hint: 'Everybody can read it at once.' },
  { value: 'later', label: 'Later', hint: 'It appears by itself.' },
] as const

/** Now, or at a time of the project's clocks. */
export function PublishDialog(props: PublishDialogProps) {
  const { slug, id, title, state, timeZone, planned, missing, save, onClose } = props
  const formId = useId()
  const showToast = useToast()
  const [when, setWhen] = useState<'now' | 'later'>(planned ? 'later' : 'now')
  const [at, setAt] = useState(planned)
  const { form, isPending, notes } = useChange({
    change: async () => {
      if (!(await save())) return { done: false, problems: [{ message: notSaved }] }
      return await publishPost(slug, id, when === 'later' ? at : undefined)
    },
    onDone: ({ note }) => {
      onClose()
      showToast({
        title: when === 'now' ? `“${title}” is published` : `“${title}” is scheduled`,
        body: note,
        tone: 'success',
      })
    },
  })
  const isLater = when === 'later'

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={state === 'scheduled' ? 'When it appears' : `Publish “${title}”`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            form={formId}
            busy={isPending}
            disabledReason={isLater && at === '' ? 'Say when it appears.' : undefined}
          >
            {isLater ? 'Schedule' : 'Publish now'}
          </Button>
        </>
      }
    >
      <Form id={formId} {...form}>
        {notes}
        {missing.length > 0 && (
          <Notice tone="warning" title="Before you do">
            <ul className="list-disc pl-4">
              {missing.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </Notice>
        )}
        <RadioGroup boxed label="When" options={publishTimeOptions} value={when} onChange={setWhen} />
        {isLater && (
          <Field label="Day and time" name="at" hint={`On the clocks of ${timeZone}.`}>
            <TextInput type="datetime-local" value={at} onChange={({ target }) => setAt(target.value)} />
          </Field>
        )}
      </Form>
    </Dialog>
  )
}

const notSaved = 'It could not be saved first. Close this and look at what is said about it.'
