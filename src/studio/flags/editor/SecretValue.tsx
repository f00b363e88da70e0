'use client'

import { useState, useTransition } from 'react'
import { Button } from '#ui/Button'
import { CopyField } from '#ui/copy/CopyField'
import { FormError } from '#ui/form/FormError'
import { useDirectChange } from '#studio/parts/Change'
import { revealSecret } from '../actions'

/** The value of a secret configuration, shown on request to members who may see it. */
export function SecretValue({
  slug,
  flagKey,
  environment,
  whyNot,
}: {
  slug: string
  flagKey: string
  environment: string
  whyNot: string | undefined
}) {
  const { make, question } = useDirectChange()
  const [value, setValue] = useState<string>()
  const [error, setError] = useState<string>()
  const [isPending, startTransition] = useTransition()

  const reveal = () =>
    startTransition(async () => {
      const failed = await make(() => revealSecret(slug, flagKey, environment), {
        onDone: (done) => setValue(done.value),
      })
      setError(failed?.error)
    })

  return (
    <div className="mt-4 flex flex-col gap-2">
      {question}
      {error && <FormError title={error} />}
      {value === undefined ? (
        <Button onClick={reveal} busy={isPending} disabledReason={whyNot}>
          Reveal value
        </Button>
      ) : (
        <CopyField label={`Value in ${environment}`} value={value} secret />
      )}
    </div>
  )
}
