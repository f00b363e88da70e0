'use client'

import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Button } from '#ui/Button'
import { useDirectChange } from '#studio/parts/Change'
import { renewWriteKey } from './general'

export function RenewWriteKey({ slug, whyNot }: { slug: string; whyNot?: string }) {
  const { make, question } = useDirectChange()

  return (
    <div>
      <AlertDialog
        title="Renew write key?"
        body={
          <>
            Events with the current key are refused at once. Update every page and SDK to the new key.
            {question}
          </>
        }
        confirmLabel="Renew key"
        onConfirm={() => make(() => renewWriteKey(slug), { saved: 'Write key renewed' })}
        trigger={<Button disabledReason={whyNot}>Renew key…</Button>}
      />
    </div>
  )
}
