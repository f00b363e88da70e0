'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { Notice } from '#ui/page/Notice'

const refreshMs = 3000

/** Says how many results are being computed, and shows them when they are there. */
export function RefreshUntilKnown({ pending }: { pending: number }) {
  const router = useRouter()

  useEffect(() => {
    const timer = setInterval(() => router.refresh(), refreshMs)
    return () => clearInterval(timer)
  }, [router])

  return (
    <Notice title={pending === 1 ? 'One result is being computed' : `${pending} results are being computed`}>
      Figures of effects are without them until then.
    </Notice>
  )
}
