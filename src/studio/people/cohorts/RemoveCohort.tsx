'use client'

import { Trash2 } from 'lucide-react'
import { useNavigation } from '#ui/navigation/Navigation'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { paths } from '#studio/paths'
import { useDirectChange } from '#studio/parts/Change'
import { removeCohort } from '../actions'

export function RemoveCohort({
  slug,
  id,
  name,
  whyNot,
}: {
  slug: string
  id: string
  name: string
  whyNot: string | undefined
}) {
  const router = useNavigation()
  const { make, question } = useDirectChange()

  return (
    <AlertDialog
      title={`Remove ${name}?`}
      body={<>Filters that use it will match no one. Its people are not deleted.{question}</>}
      confirmLabel="Remove cohort"
      onConfirm={() =>
        make(() => removeCohort(slug, id), {
          saved: `${name} removed`,
          onDone: () => router.push(paths.cohorts(slug)),
        })
      }
      trigger={
        <Button icon={<Icon of={Trash2} />} disabledReason={whyNot}>
          Remove…
        </Button>
      }
    />
  )
}
