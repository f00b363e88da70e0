'use client'

import type { LocalTime } from '#insights/calendar/local-time'
import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { TextInput } from '#ui/form/TextInput'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { saveAnnotation } from './changes'

export interface ShownAnnotation {
  id: string
  at: Date
  local: LocalTime
  text: string
  isOfProject: boolean
  createdBy: string
}

interface AnnotationDialogProps {
  slug: string
  /** The dashboard on which it is shown. */
  dashboard: string
  timeZone: string
  now: LocalTime
  /** The one to edit; a new one otherwise. */
  annotation?: ShownAnnotation
  open: boolean
  onClose: () => void
}

/** Creates or edits an annotation. */
export function AnnotationDialog({
  slug,
  dashboard,
  timeZone,
  now,
  annotation,
  open,
  onClose,
}: AnnotationDialogProps) {
  const start = annotation?.local ?? now
  return (
    <ChangeDialog
      title={annotation ? 'Edit annotation' : 'New annotation'}
      open={open}
      onClose={onClose}
      change={(formData) => saveAnnotation(slug, annotation?.id ?? '', dashboard, formData)}
      saved="Annotation saved"
      submit="Save"
    >
      <Field label="What happened" name="text">
        <TextInput defaultValue={annotation?.text} autoComplete="off" maxLength={200} />
      </Field>
      <div className="grid grid-cols-2 gap-3">
        <Field label="Date" name="day">
          <TextInput type="date" defaultValue={start.day} />
        </Field>
        <Field label="Time" name="time" hint={timeZone.replaceAll('_', ' ')}>
          <TextInput type="time" defaultValue={start.time} />
        </Field>
      </div>
      {!annotation && (
        <Field label="Shown on" name="scope">
          <Select
            name="scope"
            options={[
              { value: 'project', label: 'All charts of the project' },
              { value: 'dashboard', label: 'This dashboard only' },
            ]}
            defaultValue="project"
          />
        </Field>
      )}
    </ChangeDialog>
  )
}
