'use client'

import { Download } from 'lucide-react'
import { useState } from 'react'
import { Button } from '#ui/Button'
import { Dialog, DialogClose } from '#ui/overlay/Dialog'
import { FormError } from '#ui/form/FormError'
import { Icon } from '#ui/Icon'
import { useDirectChange } from '#studio/parts/Change'
import { renewRecoveryCodes } from './security'

/** Shown once, to be written down or downloaded. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const text = `Recovery codes of Tilth. Each works once.\n\n${codes.join('\n')}\n`

  return (
    <Dialog
      title="Your recovery codes"
      description="Each code signs you in once if you lose your other factors. They are not shown again."
      open
      onOpenChange={(open) => !open && onClose()}
      footer={
        <>
          <Button icon={<Icon of={Download} />} onClick={() => download(text)}>
            Download
          </Button>
          <DialogClose>
            <Button variant="primary">I have saved them</Button>
          </DialogClose>
        </>
      }
    >
      <ul className="grid gap-x-6 gap-y-1.5 rounded-md bg-sunken p-4 font-mono text-sm sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Dialog>
  )
}

function download(text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: 'tilth-recovery-codes.txt' })
  link.click()
  URL.revokeObjectURL(url)
}

export function RenewCodes({ left, canRenew }: { left: number; canRenew: boolean }) {
  const { make, question } = useDirectChange()
  const [codes, setCodes] = useState<readonly string[]>([])
  const [error, setError] = useState<string>()

  async function renew() {
    const wrong = await make(renewRecoveryCodes, { onDone: ({ recoveryCodes }) => setCodes(recoveryCodes) })
    setError(wrong?.error)
  }

  return (
    <div className="flex flex-col items-start gap-3">
      {error && <FormError title={error} />}
      <p>{left === 0 ? 'You have no recovery codes.' : `${left} of 10 are left.`}</p>
      <Button
        onClick={() => void renew()}
        disabledReason={canRenew ? undefined : 'Set up an authenticator app or a passkey first.'}
      >
        New recovery codes
      </Button>
      {question}
      {codes.length > 0 && <RecoveryCodesDialog codes={codes} onClose={() => setCodes([])} />}
    </div>
  )
}
