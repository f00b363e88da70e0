'use client'

import { useNavigation } from '#ui/navigation/Navigation'
import { useState, useTransition } from 'react'
import { useToast } from '#ui/overlay/Toast'
import type { ActionResult } from '#studio/parts/action-result'
import { withNetworkErrors } from '#studio/parts/with-network-errors'

interface FormDraftSettings<Draft> {
  initial: Draft
  save: (draft: Draft) => Promise<ActionResult<{ id: string }>>
  addressOfNew: ((id: string) => string) | undefined
}

/** The draft of a form, its problems, and the way to save it. */
export function useFormDraft<Draft extends { name: string }>({
  initial,
  save,
  addressOfNew,
}: FormDraftSettings<Draft>) {
  const [draft, setDraft] = useState(initial)
  const [problems, setProblems] = useState<string[]>([])
  const [isPending, startTransition] = useTransition()
  const router = useNavigation()
  const showToast = useToast()

  const keep = () =>
    startTransition(async () => {
      const answer = await withNetworkErrors(() => save(draft))
      setProblems(answer.done ? [] : answer.problems.map(({ message }) => message))
      if (!answer.done) return
      showToast({ title: `${draft.name} saved`, tone: 'success' })
      if (addressOfNew) router.push(addressOfNew(answer.id))
    })

  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  return { draft, change, problems, save: keep, isPending }
}
