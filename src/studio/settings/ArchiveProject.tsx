'use client'

import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Button } from '#ui/Button'
import { useDirectChange } from '#studio/parts/Change'
import { useRestore } from './use-restore'
import { archiveProject } from './general'

interface ArchiveProjectProps {
  slug: string
  name: string
  isArchived: boolean
  whyNot?: string
}

export function ArchiveProject({ slug, name, isArchived, whyNot }: ArchiveProjectProps) {
  const { make, question } = useDirectChange()
  const { restore, isRestoring } = useRestore(slug)

  if (isArchived) {
    return (
      <Button onClick={restore} busy={isRestoring} disabledReason={whyNot}>
        Restore {name}
      </Button>
    )
  }
  return (
    <AlertDialog
      title={`Archive ${name}?`}
      body={
        <>
          It stops accepting events. No data is deleted, and an owner can restore it.
          {question}
        </>
      }
      confirmLabel="Archive project"
      typeToConfirm={name}
      onConfirm={() => make(() => archiveProject(slug), { saved: 'Project archived', undo: restore })}
      trigger={<Button disabledReason={whyNot}>Archive project…</Button>}
    />
  )
}
