'use client'

import { useState } from 'react'
import { Button } from '#ui/Button'
import { FormError } from '#ui/form/FormError'
import { useDirectChange } from '#studio/parts/Change'
import { beginLink } from './security'

/** Leaves for the provider, which sends the browser back to this page. Asks for a recent password first. */
export function LinkAccount({ name }: { name: string }) {
  const { make, question } = useDirectChange()
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<string>()

  async function link() {
    setBusy(true)
    const refused = await make(beginLink, { onDone: ({ address }) => location.assign(address) })
    setError(refused?.error)
    setBusy(false)
  }

  return (
    <div className="flex flex-col items-start gap-3">
      {error && <FormError title={error} />}
      <Button busy={isBusy} onClick={() => void link()}>
        Link your account at {name}
      </Button>
      {question}
    </div>
  )
}
