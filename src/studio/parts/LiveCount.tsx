'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { Spinner } from '#ui/Spinner'
import type { ActionResult } from './action-result'
import { withNetworkErrors } from './with-network-errors'

const debounceMs = 500

interface LiveCountProps<Asked, Counted> {
  slug: string
  /** The input of the count; its values must survive JSON. */
  of: Asked
  count: (slug: string, asked: Asked) => Promise<ActionResult<Counted>>
  words: (counted: Counted) => ReactNode
}

/** Shows a count. Debounced: it is counted once the query stops changing. */
export function LiveCount<Asked, Counted>({ slug, of, count, words }: LiveCountProps<Asked, Counted>) {
  const request = JSON.stringify(of)
  const [counted, setCounted] = useState<{ asked: string; answer: ActionResult<Counted> }>()

  useEffect(() => {
    let isWanted = true
    const look = async () => {
      const answer = await withNetworkErrors(() => count(slug, JSON.parse(request)))
      if (isWanted) setCounted({ asked: request, answer })
    }
    const timer = setTimeout(() => void look(), debounceMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [slug, request, count])

  return (
    <output className="flex min-h-5 items-center gap-2">
      {counted && <span>{countMessage(counted.answer, words)}</span>}
      {counted?.asked !== request && (
        <>
          <Spinner size="sm" /> Counting…
        </>
      )}
    </output>
  )
}

const countMessage = <Counted,>(
  answer: ActionResult<Counted>,
  words: (counted: Counted) => ReactNode,
): ReactNode => (answer.done ? words(answer) : answer.problems.map(({ message }) => message).join(' '))
