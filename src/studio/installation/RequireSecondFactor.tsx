'use client'

import { useState } from 'react'
import { FormError } from '#ui/form/FormError'
import { Switch } from '#ui/form/Switch'
import { useDirectChange } from '#studio/parts/Change'
import { requireSecondFactor, requireSecondFactorIn } from './installation'

interface RequireSecondFactorProps {
  isRequired: boolean
  whyNot: string | undefined
  /** The project that asks for it; every project when absent. */
  slug?: string
}

export function RequireSecondFactor({ isRequired, whyNot, slug }: RequireSecondFactorProps) {
  const { make, question } = useDirectChange()
  const [error, setError] = useState<string>()

  const save = (isOn: boolean) =>
    slug === undefined ? requireSecondFactor(isOn) : requireSecondFactorIn(slug, isOn)

  async function change(isOn: boolean) {
    setError((await make(() => save(isOn), { saved: 'Saved' }))?.error)
  }

  return (
    <div className="flex flex-col gap-3">
      {error && <FormError title={error} />}
      <Switch
        label={slug === undefined ? 'Require two-factor authentication' : 'Require two-factor authentication'}
        hint={whyNot ?? 'An authenticator app or a passkey.'}
        checked={isRequired}
        disabled={whyNot !== undefined}
        onChange={(isOn) => void change(isOn)}
      />
      {question}
    </div>
  )
}
