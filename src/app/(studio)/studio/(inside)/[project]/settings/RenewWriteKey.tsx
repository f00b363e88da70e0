'use client'

import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Button } from '#ui/Button'
import { useDirectChange } from '#app/(studio)/Change'
import { renewWriteKey } from './general'

export function RenewWriteKey({ slug, whyNot }: { slug: string; whyNot?: string }) {
  const { make, question } = useDirectChange()

  return (
    <div>
      <AlertDialog
        title="Renew the write key?"
        body={
          <>
            Every page and SDK that sends the present key stops being heard at once, until it sends the new
            one.
            {question}
          </>
        }
        confirmLabel="Renew the key"
        onConfirm={() => make(() => renewWriteKey(slug), { saved: 'Write key renewed' })}
        trigger={<Button disabledReason={whyNot}>Renew the key…</Button>}
      />
    </div>
  )
}
