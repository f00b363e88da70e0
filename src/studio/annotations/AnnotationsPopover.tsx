'use client'

import { MessageSquareText, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { LocalTime } from '#insights/calendar/local-time'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Button } from '#ui/Button'
import { dateTime } from '#ui/format'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Popover } from '#ui/overlay/Popover'
import { useDirectChange } from '#studio/parts/Change'
import { AnnotationDialog, type ShownAnnotation } from './AnnotationDialog'
import { removeAnnotation } from './changes'

interface AnnotationsProps {
  slug: string
  /** The dashboard on which they are shown. */
  dashboard: string
  annotations: readonly ShownAnnotation[]
  timeZone: string
  now: LocalTime
  whyNot?: string
}

type EditedAnnotation = { annotation?: ShownAnnotation }

/** A button that lists the annotations of the charts, with forms to add and to edit one. */
export function AnnotationsPopover(props: AnnotationsProps) {
  const { annotations, whyNot } = props
  const [isOpen, setOpen] = useState(false)
  const [edited, setEdited] = useState<EditedAnnotation>()
  const edit = (next: EditedAnnotation) => {
    setOpen(false)
    setEdited(next)
  }

  return (
    <>
      <Popover
        label="Annotations"
        align="end"
        open={isOpen}
        onOpenChange={setOpen}
        trigger={
          <Button icon={<Icon of={MessageSquareText} className="text-faint" />}>
            Annotations{' '}
            {annotations.length > 0 && (
              <span className="ml-1 text-muted tabular-nums">{annotations.length}</span>
            )}
          </Button>
        }
      >
        <div className="flex w-[min(24rem,80vw)] flex-col gap-3">
          <AnnotationList {...props} onEdit={(annotation) => edit({ annotation })} />
          <div>
            <Button size="sm" icon={<Icon of={Plus} />} disabledReason={whyNot} onClick={() => edit({})}>
              Add annotation…
            </Button>
          </div>
        </div>
      </Popover>
      <AnnotationDialog
        {...props}
        key={edited?.annotation?.id}
        annotation={edited?.annotation}
        open={edited !== undefined}
        onClose={() => setEdited(undefined)}
      />
    </>
  )
}

function AnnotationList({
  annotations,
  timeZone,
  onEdit,
  ...props
}: AnnotationsProps & { onEdit: (annotation: ShownAnnotation) => void }) {
  if (annotations.length === 0)
    return (
      <p className="text-sm text-muted">
        No annotations yet. Annotate releases, campaigns and outages to explain changes in your charts.
      </p>
    )
  return (
    <ul className="-mx-1 flex max-h-80 flex-col overflow-y-auto px-1">
      {annotations.map((annotation) => (
        <li
          key={annotation.id}
          className="flex items-start gap-2 border-b border-line py-2 first:pt-0 last:border-b-0"
        >
          <div className="min-w-0 grow">
            <p className="text-sm wrap-anywhere">{annotation.text}</p>
            <p className="truncate text-xs text-muted">
              <time dateTime={annotation.at.toISOString()}>{dateTime(annotation.at, timeZone)}</time>
              {` · ${annotation.isOfProject ? 'All charts' : 'This dashboard'} · ${annotation.createdBy}`}
            </p>
          </div>
          <IconButton
            size="sm"
            label={`Edit “${annotation.text}”`}
            icon={<Icon of={Pencil} />}
            disabledReason={props.whyNot}
            onClick={() => onEdit(annotation)}
          />
          <Remove {...props} annotation={annotation} />
        </li>
      ))}
    </ul>
  )
}

function Remove({
  slug,
  annotation,
  whyNot,
}: Pick<AnnotationsProps, 'slug' | 'whyNot'> & { annotation: ShownAnnotation }) {
  const { make, question } = useDirectChange()
  return (
    <AlertDialog
      title="Remove annotation?"
      body={
        <>
          “{annotation.text}” is removed from every chart.
          {question}
        </>
      }
      confirmLabel="Remove annotation"
      onConfirm={() => make(() => removeAnnotation(slug, annotation.id), { saved: 'Annotation removed' })}
      trigger={
        <IconButton
          size="sm"
          label={`Remove “${annotation.text}”`}
          icon={<Icon of={Trash2} />}
          disabledReason={whyNot}
        />
      }
    />
  )
}
