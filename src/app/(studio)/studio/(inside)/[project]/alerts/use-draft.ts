'use client'

import { useRouter } from 'next/navigation'
import { useState, useTransition } from 'react'
import { useToast } from '../../../../../../ui/Toast'
import type { Answer } from '../../../../answer'
import { reached } from '../../../../reached'

interface Saving<Draft> {
  given: Draft
  save: (draft: Draft) => Promise<Answer<{ id: string }>>
  /** Where it is afterwards, if it was not there before. */
  addressOfNew: ((id: string) => string) | undefined
}

/** What somebody is writing, what is wrong with it, and keeping it. */
export function useDraft<Draft extends { name: string }>({ given, save, addressOfNew }: Saving<Draft>) {
  const [draft, setDraft] = useState(given)
  const [problems, setProblems] = useState<string[]>([])
  const [isPending, startTransition] = useTransition()
  const router = useRouter()
  const say = useToast()

  const keep = () =>
    startTransition(async () => {
      const answer = await reached(() => save(draft))
      setProblems(answer.done ? [] : answer.problems.map(({ message }) => message))
      if (!answer.done) return
      say({ title: `${draft.name} saved`, tone: 'success' })
      if (addressOfNew) router.push(addressOfNew(answer.id))
    })

  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }))
  return { draft, change, problems, save: keep, isPending }
}
