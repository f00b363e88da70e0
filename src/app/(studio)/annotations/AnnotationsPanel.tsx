'use client'

import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { LocalTime } from '#insights/calendar/local-time'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Badge } from '#ui/Badge'
import { Button } from '#ui/Button'
import type { TableColumn } from '#ui/table/column'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Field } from '#ui/form/Field'
import { dateTime } from '#ui/format'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Panel } from '#ui/page/Panel'
import { Select } from '#ui/form/Select'
import { Table } from '#ui/table/Table'
import { TextInput } from '#ui/form/TextInput'
import { useDirectChange } from '../Change'
import { ChangeDialog } from '../ChangeDialog'
import { removeAnnotation, saveAnnotation } from './changes'

export interface AnnotationRow {
  id: string
  at: Date
  local: LocalTime
  text: string
  isOfProject: boolean
  createdBy: string
}

interface AnnotationsProps {
  slug: string
  /** The dashboard on which they are shown. */
  dashboard: string
  annotations: readonly AnnotationRow[]
  timeZone: string
  now: LocalTime
  whyNot?: string
}

const columnsFor = (timeZone: string): TableColumn<AnnotationRow>[] => [
  {
    key: 'at',
    header: 'When',
    width: '11rem',
    cell: ({ at }) => <time dateTime={at.toISOString()}>{dateTime(at, timeZone)}</time>,
  },
  { key: 'text', header: 'What happened', truncate: true, cell: ({ text }) => text },
  {
    key: 'scope',
    header: 'On',
    wideOnly: true,
    cell: ({ isOfProject }) => <Badge>{isOfProject ? 'Every chart' : 'This dashboard'}</Badge>,
  },
  { key: 'by', header: 'By', wideOnly: true, cell: ({ createdBy }) => createdBy },
]

const actionsFor =
  (props: AnnotationsProps, onChange: (annotation: AnnotationRow) => void) => (annotation: AnnotationRow) => (
    <>
      <IconButton
        label={`Change “${annotation.text}”`}
        icon={<Icon of={Pencil} />}
        disabledReason={props.whyNot}
        onClick={() => onChange(annotation)}
      />
      <Remove {...props} annotation={annotation} />
    </>
  )

/** Lists the annotations of the charts above. */
export function AnnotationsPanel(props: AnnotationsProps) {
  const { annotations, timeZone, whyNot } = props
  const [edited, setEdited] = useState<AnnotationRow>()
  const [isAdding, setAdding] = useState(false)

  return (
    <Panel
      flush
      title="Annotations"
      description="What happened when, written on the charts above."
      actions={
        <Button size="sm" icon={<Icon of={Plus} />} disabledReason={whyNot} onClick={() => setAdding(true)}>
          Add annotation…
        </Button>
      }
    >
      <Table
        caption="Annotations"
        columns={columnsFor(timeZone)}
        rows={annotations}
        rowKey={({ id }) => id}
        empty={
          <EmptyMessage
            title="No annotations yet"
            body="Write down releases, campaigns and outages, and charts tell why they bend."
          />
        }
        actions={actionsFor(props, setEdited)}
      />
      <AnnotationDialog {...props} open={isAdding} onClose={() => setAdding(false)} />
      <AnnotationDialog
        {...props}
        key={edited?.id}
        annotation={edited}
        open={edited !== undefined}
        onClose={() => setEdited(undefined)}
      />
    </Panel>
  )
}

function Remove({ slug, annotation, whyNot }: AnnotationsProps & { annotation: AnnotationRow }) {
  const { make, question } = useDirectChange()
  return (
    <AlertDialog
      title="Remove the annotation?"
      body={
        <>
          “{annotation.text}” is gone from every chart.
          {question}
        </>
      }
      confirmLabel="Remove it"
      onConfirm={() => make(() => removeAnnotation(slug, annotation.id), { saved: 'Annotation removed' })}
      trigger={
        <IconButton
          label={`Remove “${annotation.text}”`}
          icon={<Icon of={Trash2} />}
          disabledReason={whyNot}
        />
      }
    />
  )
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
}: Omit<AnnotationsProps, 'annotations'> & {
  annotation?: AnnotationRow
  open: boolean
  onClose: () => void
}) {
  const start = annotation?.local ?? now
  return (
    <ChangeDialog
      title={annotation ? 'Change the annotation' : 'New annotation'}
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
        <Field label="Day" name="day">
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
              { value: 'project', label: 'Every chart of the project' },
              { value: 'dashboard', label: 'This dashboard alone' },
            ]}
            defaultValue="project"
          />
        </Field>
      )}
    </ChangeDialog>
  )
}
