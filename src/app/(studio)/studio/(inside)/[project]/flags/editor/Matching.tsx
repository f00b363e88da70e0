'use client'

import { useEffect, useState } from 'react'
import type { BucketBy, Condition } from '../../../../../../../flags/flag'
import { share } from '../../../../../../../flags/words'
import { number } from '../../../../../../../ui/format'
import { Spinner } from '../../../../../../../ui/Spinner'
import type { Answer } from '../../../../../answer'
import { reached } from '../../../../../reached'
import { countFitting, type Fitting } from '../actions'

const settledAfterMs = 500

/** How many people a set is about, counted once somebody has stopped changing it for a moment. */
export function Matching({
  slug,
  conditions,
  percentage,
  bucketBy,
}: {
  slug: string
  conditions: readonly Condition[]
  percentage: number
  bucketBy: BucketBy
}) {
  const asked = JSON.stringify(conditions)
  const [counted, setCounted] = useState<{ asked: string; answer: Answer<Fitting> }>()

  useEffect(() => {
    let isWanted = true
    const count = async () => {
      const answer = await reached(() => countFitting(slug, JSON.parse(asked)))
      if (isWanted) setCounted({ asked, answer })
    }
    const timer = setTimeout(() => void count(), settledAfterMs)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [slug, asked])

  return (
    <output className="flex min-h-4 items-center gap-2">
      {counted && <span>{wordsFor(counted.answer, bucketBy.by === 'person' ? percentage : 100)}</span>}
      {counted?.asked !== asked && (
        <>
          <Spinner size="sm" /> Counting…
        </>
      )}
    </output>
  )
}

function wordsFor(answer: Answer<Fitting>, percentage: number): string {
  if (!answer.done) return answer.problems.map(({ message }) => message).join(' ')
  const { matching, of, left } = answer
  const fits = left.length > 0 ? 'Fits at most' : 'Fits'
  const said = `${fits} ${number(matching)} of the ${number(of)} people of the last 30 days`
  const letIn = Math.round((matching * percentage) / 100)
  const part =
    percentage === 100 || matching === 0 ? '' : `; ${share(percentage)} of them are about ${number(letIn)}`
  return [`${said}${part}.`, ...left].join(' ')
}
