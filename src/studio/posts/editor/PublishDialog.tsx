'use client'

import { useState } from 'react'
import type { PostState } from '#posts/post'
import { Checkbox } from '#ui/form/Checkbox'
import { Field } from '#ui/form/Field'
import { Notice } from '#ui/page/Notice'
import { RadioGroup } from '#ui/form/RadioGroup'
import { Select } from '#ui/form/Select'
import { TextInput } from '#ui/form/TextInput'
import { number, plural } from '#ui/format'
import { useToast } from '#ui/overlay/Toast'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { publishPost } from '../actions'
import type { NewsletterChoice } from './editor-context'

interface PublishDialogProps {
  slug: string
  id: string
  title: string
  state: PostState
  timeZone: string
  /** The date planned so far, as the project's clocks show it: "2026-03-02T10:00". */
  planned: string
  newsletter: NewsletterChoice
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
  const { slug, id, title, state, timeZone, planned, newsletter, missing, save, onClose } = props
  const showToast = useToast()
  const [when, setWhen] = useState<'now' | 'later'>(planned ? 'later' : 'now')
  const [at, setAt] = useState(planned)
  const [listKey, setListKey] = useState('')
  const isLater = when === 'later'
  // a newsletter links to its post, which has to be there
  const list = isLater ? undefined : newsletter.lists.find(({ key }) => key === listKey)

  async function publish(): ReturnType<typeof publishPost> {
    if (!(await save())) return { done: false, problems: [{ message: notSaved }] }
    return await publishPost(slug, id, isLater ? at : undefined, list?.key)
  }

  return (
    <ChangeDialog
      open
      onClose={onClose}
      title={state === 'scheduled' ? 'Publish time' : `Publish “${title}”`}
      submit={submitLabel(isLater, list)}
      incomplete={whyIncomplete(isLater && at === '', list)}
      change={publish}
      onDone={({ note, unsent }) => {
        onClose()
        showToast(
          unsent === undefined
            ? { title: doneTitle(title, isLater, list), body: note, tone: 'success' }
            : { title: `“${title}” is published, but was not sent`, body: unsent, tone: 'danger' },
        )
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
      {!isLater && <NewsletterFields newsletter={newsletter} listKey={listKey} onChange={setListKey} />}
    </ChangeDialog>
  )
}

type ChosenList = NewsletterChoice['lists'][number] | undefined

function submitLabel(isLater: boolean, list: ChosenList): string {
  if (isLater) return 'Schedule'
  return list ? `Publish and send to ${plural(list.confirmed, 'subscriber')}` : 'Publish now'
}

function whyIncomplete(isTimeMissing: boolean, list: ChosenList): string | undefined {
  if (isTimeMissing) return 'Choose a time.'
  return list?.confirmed === 0 ? 'No one on this list has confirmed yet.' : undefined
}

function doneTitle(title: string, isLater: boolean, list: ChosenList): string {
  if (isLater) return `“${title}” is scheduled`
  return list ? `“${title}” is published and being sent` : `“${title}” is published`
}

interface NewsletterFieldsProps {
  newsletter: NewsletterChoice
  /** '' if the post is not sent. */
  listKey: string
  onChange: (listKey: string) => void
}

function NewsletterFields({ newsletter: { lists, whyNot }, listKey, onChange }: NewsletterFieldsProps) {
  const first = lists.find(({ confirmed }) => confirmed > 0)
  return (
    <>
      <Checkbox
        label="Send as newsletter"
        hint={whyNot ?? 'With the title as subject. E-mails cannot be recalled.'}
        disabled={whyNot !== undefined}
        checked={listKey !== ''}
        onChange={(isSent) => onChange(isSent ? (first?.key ?? '') : '')}
      />
      {listKey !== '' && (
        <Field label="List">
          <Select
            options={lists.map(({ key, name, confirmed }) => ({
              value: key,
              label: `${name} (${number(confirmed)})`,
            }))}
            value={listKey}
            onChange={onChange}
          />
        </Field>
      )}
    </>
  )
}

const notSaved = 'The post could not be saved. Close this dialog to see why.'
