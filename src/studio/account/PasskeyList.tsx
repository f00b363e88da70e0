'use client'

import { startRegistration } from '@simplewebauthn/browser'
import { Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Button } from '#ui/Button'
import { Field } from '#ui/form/Field'
import { FormError } from '#ui/form/FormError'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { TextInput } from '#ui/form/TextInput'
import { useDirectChange } from '#studio/parts/Change'
import { asText } from '#studio/parts/form-data'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { otherHost } from '#studio/sign-in/passkey-host'
import { RecoveryCodesDialog } from './RecoveryCodes'
import { addPasskey, beginPasskey, removePasskey } from './security'

interface PasskeyRow {
  id: string
  name: string
  createdAt: Date
  usedAt: Date | undefined
}

interface PasskeyListProps {
  passkeys: readonly PasskeyRow[]
  /** Why none can be had here. */
  objection: string | undefined
  clock: Clock
}

export function PasskeyList({ passkeys, objection, clock }: PasskeyListProps) {
  return (
    <div className="flex flex-col gap-4">
      {passkeys.length > 0 && (
        <ul className="flex flex-col divide-y divide-line">
          {passkeys.map((passkey) => (
            <li key={passkey.id} className="flex items-center justify-between gap-3 py-2">
              <span className="min-w-0">
                <span className="block truncate font-medium">{passkey.name}</span>
                <span className="block text-xs text-muted">
                  Added <RelativeTime at={passkey.createdAt} clock={clock} />
                  {passkey.usedAt && (
                    <>
                      , last used <RelativeTime at={passkey.usedAt} clock={clock} />
                    </>
                  )}
                </span>
              </span>
              <RemovePasskey {...passkey} />
            </li>
          ))}
        </ul>
      )}
      {objection ? <p className="text-muted">{objection}</p> : <AddPasskey />}
    </div>
  )
}

function AddPasskey() {
  const { make, question } = useDirectChange()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [codes, setCodes] = useState<readonly string[]>([])

  async function add(form: HTMLFormElement) {
    setBusy(true)
    setError(await problemWith(asText(new FormData(form).get('passkey'))))
    setBusy(false)
  }

  async function problemWith(name: string): Promise<string | undefined> {
    const begun: { optionsJSON?: Parameters<typeof startRegistration>[0]['optionsJSON'] } = {}
    const refused = await make(beginPasskey, { onDone: ({ options }) => (begun.optionsJSON = options) })
    if (refused || !begun.optionsJSON) return refused?.error
    const { optionsJSON } = begun
    const made = await startRegistration({ optionsJSON }).catch(() => undefined)
    if (!made) return otherHost(optionsJSON.rp.id) ?? 'The device created no passkey. Try again.'
    const wrong = await make(() => addPasskey(name, JSON.stringify(made)), {
      saved: 'Passkey added, other sessions ended',
      onDone: ({ recoveryCodes }) => setCodes(recoveryCodes),
    })
    return wrong?.error
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    void add(event.currentTarget)
  }

  return (
    <form onSubmit={submit} className="flex flex-col items-start gap-3">
      {error && <FormError title={error} />}
      <Field label="Name of the passkey" name="passkey">
        <TextInput defaultValue="My device" maxLength={80} />
      </Field>
      <Button type="submit" busy={isBusy}>
        Add passkey
      </Button>
      {question}
      {codes.length > 0 && <RecoveryCodesDialog codes={codes} onClose={() => setCodes([])} />}
    </form>
  )
}

function RemovePasskey({ id, name }: PasskeyRow) {
  const { make, question } = useDirectChange()

  return (
    <AlertDialog
      title={`Remove passkey ${name}?`}
      body={<>It stops working, and your other sessions end.{question}</>}
      confirmLabel="Remove it"
      onConfirm={() => make(() => removePasskey(id), { saved: 'Passkey removed' })}
      trigger={<IconButton label={`Remove passkey ${name}`} icon={<Icon of={Trash2} />} />}
    />
  )
}
