'use client'

import { Trash2 } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { paths } from '#app/paths'
import { useDirectChange } from '#app/(studio)/Change'
import { erasePerson } from '../actions'

/** Erases a person permanently. The page of erasures shows the progress. */
export function ErasePerson({
  slug,
  person,
  name,
  whyNot,
}: {
  slug: string
  person: string
  name: string
  whyNot: string | undefined
}) {
  const router = useRouter()
  const { make, question } = useDirectChange()

  return (
    <AlertDialog
      title={`Erase ${name}?`}
      body={
        <>
          Every event, property and id of this person is deleted, and what is sent late is not taken any more.
          Numbers about the past change. This cannot be undone.
          {question}
        </>
      }
      typeToConfirm="erase"
      confirmLabel="Erase the person"
      onConfirm={() =>
        make(() => erasePerson(slug, person), {
          saved: `${name} is being erased`,
          onDone: () => router.push(paths.erasures(slug)),
        })
      }
      trigger={
        <Button icon={<Icon of={Trash2} />} disabledReason={whyNot}>
          Erase…
        </Button>
      }
    />
  )
}
