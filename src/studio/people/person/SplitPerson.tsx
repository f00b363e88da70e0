'use client'

import { Split } from 'lucide-react'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { useDirectChange } from '#studio/parts/Change'
import { splitPerson } from '../actions'

/** Undoes the merge of one distinct id. */
export function SplitPerson({
  slug,
  person,
  name,
  distinctId,
  whyNot,
}: {
  slug: string
  person: string
  name: string
  distinctId: string
  whyNot: string | undefined
}) {
  const { make, question } = useDirectChange()

  return (
    <AlertDialog
      title={`Split ${distinctId} off?`}
      body={
        <>
          It becomes a person of its own, with its events and the properties it had before the merge. {name}{' '}
          keeps all other ids and properties. A later identify or alias can merge them again.
          {question}
        </>
      }
      confirmLabel="Split off"
      onConfirm={() =>
        make(() => splitPerson(slug, person, distinctId), { saved: `${distinctId} split off` })
      }
      trigger={
        <IconButton
          size="sm"
          label={`Split ${distinctId} off…`}
          icon={<Icon of={Split} />}
          disabledReason={whyNot}
        />
      }
    />
  )
}
