'use client'

import { useTransition } from 'react'
import { useToast } from '#ui/overlay/Toast'
import { restoreProject } from './general'
import { useDirectChange } from '#studio/parts/Change'

/** Brings an archived project back: from its notice, from its settings, or to undo having archived it. */
export function useRestore(slug: string) {
  const showToast = useToast()
  const { make } = useDirectChange()
  const [isRestoring, startTransition] = useTransition()

  const restore = () =>
    startTransition(async () => {
      const failed = await make(() => restoreProject(slug), { saved: 'Project restored' })
      if (failed) showToast({ title: failed.error, tone: 'danger' })
    })

  return { restore, isRestoring }
}
