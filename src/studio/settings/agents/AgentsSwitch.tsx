'use client'

import { Switch } from '#ui/form/Switch'
import { FormError } from '#ui/form/FormError'
import { useState } from 'react'
import { useDirectChange } from '#studio/parts/Change'
import { changeAgents } from './agents'

interface AgentsSwitchProps {
  slug: string
  mayConnect: boolean
  whyNot?: string
}

/** Lets the assistants of a project in, or refuses all of them. */
export function AgentsSwitch({ slug, mayConnect, whyNot }: AgentsSwitchProps) {
  const { make, question } = useDirectChange()
  const [error, setError] = useState<string>()

  async function change(next: boolean) {
    const saved = next ? 'Assistants may connect' : 'Assistants are refused'
    setError((await make(() => changeAgents(slug, next), { saved }))?.error)
  }

  return (
    <>
      {error && <FormError title={error} />}
      <Switch
        label="Assistants may connect"
        hint={whyNot ?? 'Off refuses all of them at once, also those with a secret key. None is revoked.'}
        checked={mayConnect}
        onChange={(next) => void change(next)}
        disabled={whyNot !== undefined}
      />
      {question}
    </>
  )
}
