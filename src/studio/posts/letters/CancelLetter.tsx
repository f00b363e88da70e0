'use client'

import { Button } from '#ui/Button'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { useDirectChange } from '#studio/parts/Change'
import { cancelLetter } from './actions'

export function CancelLetter({ slug, id, whyNot }: { slug: string; id: string; whyNot: string | undefined }) {
  const { make, question } = useDirectChange()
  return (
    <AlertDialog
      title="Cancel this letter?"
      body={
        <>
          No further e-mail is sent. Those that were sent cannot be recalled.
          {question}
        </>
      }
      confirmLabel="Cancel letter"
      cancelLabel="Keep sending"
      onConfirm={() => make(() => cancelLetter(slug, id), { saved: 'Letter cancelled' })}
      trigger={<Button disabledReason={whyNot}>Cancel letter…</Button>}
    />
  )
}
