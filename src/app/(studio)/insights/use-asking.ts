'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState, useTransition } from 'react'
import { longestQuestion, questionText } from '../../../insights/question-text'
import type { Asked } from '../../../insights/scope'
import { paths } from '../../paths'
import { useSettled } from '../settled'

/** A question that says which kind it is of. */
export type KindQuestion = Asked & { kind: string }

/** Somebody who is still typing is not asking yet. */
const settleMs = 400
const slowMs = 1000

/** The question as it is being built: it stands in the address, and the server answers there. */
export function useAsking(slug: string, insightId: string | undefined, answered: KindQuestion) {
  const router = useRouter()
  const [question, setQuestion] = useState(answered)
  const [isPending, startTransition] = useTransition()
  const { later, settle } = useSettled(settleMs)

  const text = questionText(question)
  const isTooLong = text.length > longestQuestion

  function ask(next: KindQuestion, waitMs = settleMs) {
    setQuestion(next)
    const q = questionText(next)
    if (q.length > longestQuestion) return
    const address = insightId
      ? paths.insight(slug, insightId, { q, edit: 'yes' })
      : paths.newInsight(slug, { q })
    later(() => startTransition(() => router.replace(address, { scroll: false })), waitMs)
  }

  return {
    question,
    ask,
    settle,
    isPending,
    isSlow: useSlow(isPending),
    isTooLong,
    /** Back to what was answered last. */
    cancel: () => ask(answered, 0),
  }
}

/** Whether it has been going on for longer than a moment. */
function useSlow(isPending: boolean): boolean {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    if (!isPending) return undefined
    const timer = setTimeout(() => setSlow(true), slowMs)
    return () => {
      clearTimeout(timer)
      setSlow(false)
    }
  }, [isPending])
  return isPending && isSlow
}
