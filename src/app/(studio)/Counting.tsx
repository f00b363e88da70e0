'use client'

import { useEffect, useState } from 'react'
import { Spinner } from '../../ui/Spinner'
import type { Answer } from './answer'
import { reached } from './reached'

const settledAfterMs = 500

interface CountingProps<Asked, Counted> {
  slug: string
  /** What is counted; its values must survive JSON. */
  of: Asked
  count: (slug: string, asked: Asked) => Promise<Answer<Counted>>
  words: (counted: Counted) => string
}

/** How many there are, counted once somebody has stopped changing what is asked for a moment. */
export function Counting<Asked, Counted>({ slug, of, count, words }: CountingProps<Asked, Counted>) {
  const asked = JSON.stringify(of)
  const [counted, setCounted] = useState<{ asked: string; answer: Answer<Counted> }>()

  useEffect(() => {
    let isWanted = true
    const look = async () => {
      const answer = await reached(() => count(slug, JSON.parse(asked)))
      if (isWanted) setCounted({ asked, answer })
    }
    const timer = setTimeout(() => void look(), settledAfterMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [slug, asked, count])

  return (
    <output className="flex min-h-5 items-center gap-2">
      {counted && <span>{said(counted.answer, words)}</span>}
      {counted?.asked !== asked && (
        <>
          <Spinner size="sm" /> Counting…
        </>
      )}
    </output>
  )
}

const said = <Counted,>(answer: Answer<Counted>, words: (counted: Counted) => string): string =>
  answer.done ? words(answer) : answer.problems.map(({ message }) => message).join(' ')
