'use client'

import { Button } from '#ui/Button'
import { useToast } from '#ui/overlay/Toast'
import { useDirectChange } from '#studio/parts/Change'
import { restoreExperiment } from './actions'

interface RestoreExperimentProps {
  slug: string
  id: string
  name: string
  whyNot: string | undefined
}

export function RestoreExperiment({ slug, id, name, whyNot }: RestoreExperimentProps) {
  const showToast = useToast()
  const { make, question } = useDirectChange()
  async function restore() {
    const failed = await make(() => restoreExperiment(slug, id), { saved: `${name} restored` })
    if (failed) showToast({ title: failed.error, tone: 'danger' })
  }
  return (
    <>
      {question}
      <Button size="sm" onClick={() => void restore()} disabledReason={whyNot}>
        Restore
      </Button>
    </>
  )
}
