'use client'

import { useRouter } from 'next/navigation'
import { useEffect } from 'react'

const everyMs = 10_000

/** Refreshes the page every ten seconds while the tab is visible. */
export function PeriodicRefresh() {
  const router = useRouter()

  useEffect(() => {
    const renew = () => document.visibilityState === 'visible' && router.refresh()
    const timer = setInterval(renew, everyMs)
    document.addEventListener('visibilitychange', renew)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', renew)
    }
  }, [router])

  return <p className="-mt-3 text-xs text-muted">Updates every 10 seconds.</p>
}
