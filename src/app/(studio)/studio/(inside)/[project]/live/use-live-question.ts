'use client'

import { useSearchParams } from 'next/navigation'
import { useState } from 'react'
import { paths } from '../../../../../paths'
import { type LiveQuestion, questionIn } from './question'

/** What is asked stands in the address too, to be shared and reloaded; the server is not asked again for it. */
export function useLiveQuestion(slug: string) {
  const search = useSearchParams()
  const [question, setQuestion] = useState(() => questionIn(search ?? new URLSearchParams()))

  function ask(changed: LiveQuestion) {
    const asked = { ...question, ...changed }
    setQuestion(asked)
    history.replaceState(null, '', paths.live(slug, asked))
  }

  return { question, ask }
}

export type Ask = ReturnType<typeof useLiveQuestion>['ask']
