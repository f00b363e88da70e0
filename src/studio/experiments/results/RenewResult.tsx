'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { Button } from '#ui/Button'
import { renewResult } from '../actions'

interface RenewResultProps {
  slug: string
  id: string
  isRenewed: boolean
}

const refreshMs = 3000

/** Has a newer result computed, and shows it when there is one. */
export function RenewResult({ slug, id, isRenewed }: RenewResultProps) {
  const router = useRouter()
  const [problem, setProblem] = useState<string>()

  useEffect(() => {
    if (!isRenewed) return undefined
    const timer = setInterval(() => router.refresh(), refreshMs)
    return () => clearInterval(timer)
  }, [isRenewed, router])

  const renew = async () => {
    const answer = await renewResult(slug, id)
    setProblem(answer.done ? undefined : answer.problems.map(({ message }) => message).join(' '))
  }
  return (
    <>
      <Button size="sm" onClick={() => void renew()} busy={isRenewed}>
        Compute now
      </Button>
      {problem !== undefined && <span role="alert">{problem}</span>}
    </>
  )
}
