'use client'

import { plural, pluralWord } from '#ui/format'
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
    <Notice title={`${plural(pending, 'result')} ${pluralWord(pending, 'is', 'are')} being computed`}>
      Figures of effects are without them until then.
    </Notice>
  )
}
