'use client'

import { Button } from '#ui/Button'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { useDirectChange } from '#studio/parts/Change'
import { removeMailServer } from './mail-server'

export function RemoveMailServer() {
  const { make, question } = useDirectChange()
  return (
    <AlertDialog
      title="Remove the mail server?"
      body={
        <>
          No e-mails are sent until another one is set up, and members cannot reset their passwords.
          {question}
        </>
      }
      confirmLabel="Remove mail server"
      onConfirm={() => make(removeMailServer, { saved: 'Mail server removed' })}
      trigger={<Button>Remove mail server…</Button>}
    />
  )
}
