'use client'

import { Button } from '#ui/Button'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { useDirectChange } from '#studio/parts/Change'
import { cancelLetter } from './actions'

export function CancelLetter({ slug, id, whyNot }: { slug: string; id: string; whyNot: string | undefined }) {
  const { make, question } = useDirectChange()
  return (
    <AlertDialog
      title="Cancel this newsletter?"
      body={
        <>
          No further e-mail is sent. Those that were sent cannot be recalled.
          {question}
        </>
      }
      confirmLabel="Cancel newsletter"
      cancelLabel="Keep sending"
      onConfirm={() => make(() => cancelLetter(slug, id), { saved: 'Newsletter cancelled' })}
      trigger={<Button disabledReason={whyNot}>Cancel newsletter…</Button>}
    />
  )
}
