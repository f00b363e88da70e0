'use client'

import { type ReactElement, useState } from 'react'
import { Field } from '#ui/form/Field'
import { MultiCombobox } from '#ui/form/Combobox'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { FormDialog } from '#ui/overlay/FormDialog'
import { useChange } from '#studio/parts/Change'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import { saveMetric } from '../actions'
import type { SavedMetricChoice } from '../editor/choices'
import { metricWords } from './metric-words'

interface SavedMetricDialogProps {
  title: string
  slug: string
  metric: Omit<SavedMetricChoice, 'id'>
  /** The saved metric that is changed; undefined for a new one. */
  id?: string
  /** The tags of other saved metrics. */
  tags: readonly string[]
  trigger: ReactElement
}

/** Names, describes and tags a saved metric. */
export function SavedMetricDialog({ title, slug, metric, id, tags, trigger }: SavedMetricDialogProps) {
  const [isOpen, setOpen] = useState(false)
  const [{ name, description, tags: chosen }, setTexts] = useState(metric)
  const put = (part: Partial<typeof metric>) => setTexts((before) => ({ ...before, ...part }))
  const { goal, measured } = metric
  const input = { name, description, tags: chosen, ...(id === undefined && { goal, measured }) }
  const { form, isPending, notes, forget } = useChange({
    change: () => withNetworkErrors(() => saveMetric(slug, id, input)),
    saved: `${name.trim()} saved`,
    onDone: () => setOpen(false),
  })
  function show(next: boolean) {
    if (next) {
      setTexts(metric)
      forget()
    }
    setOpen(next)
  }
  return (
    <FormDialog
      title={title}
      description={metricWords(measured)}
      open={isOpen}
      onOpenChange={show}
      trigger={trigger}
      form={form}
      submit="Save metric"
      isPending={isPending}
      incomplete={name.trim() === '' ? 'Name the metric.' : undefined}
    >
      <div className="flex flex-col gap-4">
        {notes}
        <Field label="Name" name="name">
          <TextInput value={name} onChange={({ target }) => put({ name: target.value })} />
        </Field>
        <Field label="Description" optional name="description">
          <Textarea
            rows={2}
            placeholder="What it counts, and when to use it"
            value={description}
            onChange={(next) => put({ description: next })}
          />
        </Field>
        <Field label="Tags" optional hint="Metrics with the same tag are a group.">
          <MultiCombobox
            placeholder="Add a tag"
            options={tags.map((value) => ({ value, label: value }))}
            values={chosen}
            onChange={(next) => put({ tags: next })}
            allowOther
          />
        </Field>
      </div>
    </FormDialog>
  )
}
