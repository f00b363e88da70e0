'use client'

import { History } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { paths } from '#app/paths'
import { useDirectChange } from '#app/(studio)/Change'
import { restorePostVersion } from '../../actions'

interface RestoreVersionProps {
  slug: string
  id: string
  version: number
  whyNot: string | undefined
}

export function RestoreVersion({ slug, id, version, whyNot }: RestoreVersionProps) {
  const router = useRouter()
  const { make, question } = useDirectChange()
  return (
    <AlertDialog
      destructive={false}
      title={`Back to version ${version}?`}
      body={
        <>
          It says again what it said then, as a version of its own. Whether it is published stays as it is.
          {question}
        </>
      }
      confirmLabel="Bring it back"
      onConfirm={() =>
        make(() => restorePostVersion(slug, id, version), {
          saved: `Version ${version} is back`,
          onDone: () => router.replace(paths.postHistory(slug, id)),
        })
      }
      trigger={
        <Button size="sm" icon={<Icon of={History} />} disabledReason={whyNot}>
          Bring back
        </Button>
      }
    />
  )
}
