'use client'

import { type FormEvent, lazy, type ReactElement, Suspense, useState } from 'react'
import type { Experiment } from '#experiments/experiment'
import { FormDialog } from '#ui/overlay/FormDialog'
import { Skeleton } from '#ui/page/Skeleton'
import type { ExperimentChoices } from '../editor/choices'
import { whyIncomplete } from './metric-presets'

const MetricFields = lazy(async () => ({ default: (await import('./MetricFields')).MetricFields }))

type ExperimentMetric = Experiment['metrics'][number]

interface MetricDialogProps {
  /** The metric that is edited, or what a new one begins with. */
  metric: ExperimentMetric
  isNew: boolean
  choices: ExperimentChoices
  trigger: ReactElement
  onSave: (metric: ExperimentMetric) => void
}

/** Edits one metric. It takes part in the experiment once the experiment is saved. */
export function MetricDialog({ metric, isNew, choices, trigger, onSave }: MetricDialogProps) {
  const [isOpen, setOpen] = useState(false)
  const [draft, setDraft] = useState(metric)

  function show(next: boolean) {
    if (next) setDraft(metric)
    setOpen(next)
  }
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    event.stopPropagation()
    if (whyIncomplete(draft) !== undefined) return
    onSave({ ...draft, name: draft.name.trim() })
    setOpen(false)
  }
  return (
    <FormDialog
      title={isNew ? 'New metric' : `Metric ${metric.name}`}
      size="lg"
      open={isOpen}
      onOpenChange={show}
      trigger={trigger}
      form={{ errors: {}, onSubmit: submit }}
      submit={isNew ? 'Add metric' : 'Keep metric'}
      incomplete={whyIncomplete(draft)}
    >
      <Suspense fallback={<Skeleton className="h-96 w-full" />}>
        <MetricFields metric={draft} isNew={isNew} choices={choices} onChange={setDraft} />
      </Suspense>
    </FormDialog>
  )
}
