'use client'

import { lazy, Suspense, useState, useTransition } from 'react'
import type { CardContent } from '#dashboards/dashboard'
import { Button } from '#ui/Button'
import { Dialog, DialogClose } from '#ui/overlay/Dialog'
import { Field } from '#ui/form/Field'
import { FormError } from '#ui/form/FormError'
import { Skeleton } from '#ui/page/Skeleton'
import { TextInput } from '#ui/form/TextInput'
import { Textarea } from '#ui/form/Textarea'
import { useDirectChange } from '#studio/parts/Change'
import { addCard, changeCard } from './changes'
import { ExperimentFields } from './ExperimentFields'

const QueryFields = lazy(async () => ({
  default: (await import('./QueryFields')).QueryFields,
}))

type EditableContent = Exclude<CardContent, { type: 'insight' }>

const titles: Record<EditableContent['type'], string> = {
  text: 'text card',
  question: 'insight card',
  experiment: 'experiment card',
}

/** Writes a card: words, a query of its own, or the choice of an experiment. Without an id it is a new one. */
export function CardDialog({
  slug,
  dashboard,
  cardId,
  start,
  open,
  onClose,
}: {
  slug: string
  dashboard: string
  cardId?: string
  start: EditableContent
  open: boolean
  onClose: () => void
}) {
  const [content, setContent] = useState(start)
  const [trouble, setTrouble] = useState<string>()
  const [isSaving, startSaving] = useTransition()
  const { make } = useDirectChange()

  const save = () =>
    startSaving(async () => {
      const failed = await make(
        () => (cardId ? changeCard(slug, dashboard, cardId, content) : addCard(slug, dashboard, content)),
        { saved: cardId ? 'Card saved' : 'Card added', onDone: onClose },
      )
      setTrouble(failed?.error)
    })

  return (
    <Dialog
      title={`${cardId ? 'Edit' : 'Add'} ${titles[content.type]}`}
      size="lg"
      open={open}
      onOpenChange={(next) => !next && onClose()}
      footer={
        <>
          <DialogClose>
            <Button>Cancel</Button>
          </DialogClose>
          <Button
            variant="primary"
            busy={isSaving}
            disabledReason={
              content.type === 'experiment' && content.experiment === '' ? 'Choose an experiment' : undefined
            }
            onClick={save}
          >
            {cardId ? 'Save' : 'Add card'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {trouble && <FormError title={trouble} />}
        <Fields slug={slug} isNew={!cardId} content={content} onChange={setContent} />
      </div>
    </Dialog>
  )
}

function Fields({
  slug,
  isNew,
  content,
  onChange,
}: {
  slug: string
  isNew: boolean
  content: EditableContent
  /** Takes a step from the newest content: the first query arrives late, when a title may be typed already. */
  onChange: (next: (newest: EditableContent) => EditableContent) => void
}) {
  if (content.type === 'text')
    return (
      <Field label="Text" hint="Markdown: # heading, **strong**, *emphasis*, - list, [words](https://…).">
        <Textarea
          rows={8}
          value={content.text}
          onChange={(text) => onChange((newest) => ({ ...newest, text }))}
        />
      </Field>
    )
  if (content.type === 'experiment')
    return <ExperimentFields content={content} onChange={(next) => onChange(() => next)} />
  return (
    <>
      <Field label="Title">
        <TextInput
          value={content.title}
          onChange={({ target: { value } }) => onChange((newest) => ({ ...newest, title: value }))}
          autoComplete="off"
        />
      </Field>
      <Suspense fallback={<Skeleton className="h-64 w-full" />}>
        <QueryFields
          slug={slug}
          query={content.question}
          isNew={isNew}
          onChange={(query) => onChange((newest) => ({ ...newest, question: query }))}
        />
      </Suspense>
    </>
  )
}
