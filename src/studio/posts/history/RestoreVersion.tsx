'use client'

import { History } from 'lucide-react'
import { useNavigation } from '#ui/navigation/Navigation'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { paths } from '#studio/paths'
import { useDirectChange } from '#studio/parts/Change'
import { restorePostVersion } from '../actions'

interface RestoreVersionProps {
  slug: string
  id: string
  version: number
  /** Whether readers see the post, so that restoring makes unpublished changes. */
  isPublished: boolean
  whyNot: string | undefined
}

export function RestoreVersion({ slug, id, version, isPublished, whyNot }: RestoreVersionProps) {
  const router = useNavigation()
  const { make, question } = useDirectChange()
  return (
    <AlertDialog
      destructive={false}
      title={`Restore version ${version}?`}
      body={
        <>
          {isPublished
            ? 'Its content is restored as unpublished changes. Readers see it once you publish them.'
            : 'Its content is restored as a new version. Publication does not change.'}
          {question}
        </>
      }
      confirmLabel={`Restore version ${version}`}
      onConfirm={() =>
        make(() => restorePostVersion(slug, id, version), {
          saved: `Version ${version} restored`,
          onDone: () => router.replace(paths.postHistory(slug, id)),
        })
      }
      trigger={
        <Button size="sm" icon={<Icon of={History} />} disabledReason={whyNot}>
          Restore
        </Button>
      }
    />
  )
}
