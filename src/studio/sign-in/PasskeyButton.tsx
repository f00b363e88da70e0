'use client'

import { startAuthentication } from '@simplewebauthn/browser'
import { KeyRound } from 'lucide-react'
import { useState, useTransition } from 'react'
import { Button } from '#ui/Button'
import { FormError } from '#ui/form/FormError'
import { Icon } from '#ui/Icon'
import { withNetworkErrors } from '#studio/parts/with-network-errors'
import { otherHost } from './passkey-host'
import { passkeyOptions, signInWithPasskey } from './sign-in'

/** Signs in with what the device or the password manager keeps. */
export function PasskeyButton({ to }: { to: string }) {
  const [message, setMessage] = useState<string>()
  const [isPending, startTransition] = useTransition()

  function ask() {
    setMessage(undefined)
    startTransition(async () => {
      const options = await withNetworkErrors(passkeyOptions)
      if (!options.done) return setMessage(options.problems[0]?.message)
      const response = await startAuthentication({ optionsJSON: options.options }).catch(() => undefined)
      if (!response)
        return setMessage(
          otherHost(options.options.rpId) ?? 'No passkey was used. Try again, or sign in another way.',
        )
      const answer = await withNetworkErrors(() => signInWithPasskey(JSON.stringify(response), to))
      if (!answer.done) setMessage(answer.problems[0]?.message)
    })
  }

  return (
    <div className="mt-3 flex flex-col gap-3 noscript:hidden">
      {message && <FormError title={message} />}
      <Button size="lg" wide busy={isPending} onClick={ask} icon={<Icon of={KeyRound} />}>
        Use a passkey
      </Button>
    </div>
  )
}
