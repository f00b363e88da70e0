'use client'

import { Trash2 } from 'lucide-react'
import { useNavigation } from '#ui/navigation/Navigation'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { paths } from '#studio/paths'
import { useDirectChange } from '#studio/parts/Change'
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
  const router = useNavigation()
  const { make, question } = useDirectChange()

  return (
    <AlertDialog
      title={`Erase ${name}?`}
      body={
        <>
          Deletes every event, property and id of this person, and refuses late events. Past numbers change.
          This cannot be undone.
          {question}
        </>
      }
      typeToConfirm="erase"
      confirmLabel="Erase person"
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
