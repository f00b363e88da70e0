'use client'

import { useState } from 'react'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Badge } from '#ui/Badge'
import { Button } from '#ui/Button'
import { CopyField } from '#ui/copy/CopyField'
import { Field } from '#ui/form/Field'
import { FormError } from '#ui/form/FormError'
import { QrCode } from '#ui/QrCode'
import { TextInput } from '#ui/form/TextInput'
import { useDirectChange } from '#studio/parts/Change'
import { ChangeForm, Submit } from '#studio/parts/ChangeForm'
import { RecoveryCodesDialog } from './RecoveryCodes'
import { beginApp, confirmApp, removeApp } from './security'

export function AuthenticatorApp({ hasApp }: { hasApp: boolean }) {
  const [codes, setCodes] = useState<readonly string[]>([])

  return (
    <>
      {hasApp ? <RemoveApp /> : <SetUpApp onDone={setCodes} />}
      {codes.length > 0 && <RecoveryCodesDialog codes={codes} onClose={() => setCodes([])} />}
    </>
  )
}

function SetUpApp({ onDone }: { onDone: (codes: readonly string[]) => void }) {
  const { make, question } = useDirectChange()
  const [begun, setBegun] = useState<{ secret: string; address: string }>()
  const [error, setError] = useState<string>()

  async function begin() {
    setError((await make(beginApp, { onDone: setBegun }))?.error)
  }

  if (!begun)
    return (
      <div className="flex flex-col items-start gap-3">
        {error && <FormError title={error} />}
        <p className="text-muted">Use any app for one-time codes.</p>
        <Button onClick={() => void begin()}>Set up authenticator app</Button>
        {question}
      </div>
    )
  return (
    <ChangeForm
      change={confirmApp}
      saved="Authenticator app set up, other sessions ended"
      onDone={({ recoveryCodes }) => onDone(recoveryCodes)}
    >
      <p>Scan the QR code with the app or enter the secret, then enter the code it shows.</p>
      <QrCode text={begun.address} label="QR code for the authenticator app" />
      <CopyField label="Secret" value={begun.secret} />
      <Field label="Code" name="code">
        <TextInput mono inputMode="numeric" autoComplete="one-time-code" />
      </Field>
      <div>
        <Submit>Confirm</Submit>
      </div>
    </ChangeForm>
  )
}

function RemoveApp() {
  const { make, question } = useDirectChange()

  return (
    <div className="flex flex-wrap items-center gap-3">
      <Badge tone="success">Set up</Badge>
      <AlertDialog
        title="Remove authenticator app?"
        body={<>Its codes stop working, and your other sessions end.{question}</>}
        confirmLabel="Remove it"
        onConfirm={() => make(removeApp, { saved: 'Authenticator app removed' })}
        trigger={<Button>Remove…</Button>}
      />
    </div>
  )
}
