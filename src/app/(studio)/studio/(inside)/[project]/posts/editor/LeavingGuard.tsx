'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { AlertDialog } from '../../../../../../../ui/AlertDialog'

/** Asks before somebody leaves a page on which something is not saved, by a link or by closing it. */
export function LeavingGuard({ isUnsaved, isKept }: { isUnsaved: boolean; isKept: boolean }) {
  const router = useRouter()
  const [towards, setTowards] = useState<string>()

  useEffect(() => {
    if (!isUnsaved) return undefined
    const stay = (event: BeforeUnloadEvent) => event.preventDefault()
    const ask = (event: MouseEvent) => {
      const target = leadsAway(event)
      if (!target) return
      event.preventDefault()
      event.stopPropagation()
      setTowards(target)
    }
    window.addEventListener('beforeunload', stay)
    document.addEventListener('click', ask, true)
    return () => {
      window.removeEventListener('beforeunload', stay)
      document.removeEventListener('click', ask, true)
    }
  }, [isUnsaved])

  return (
    <AlertDialog
      open={towards !== undefined}
      onOpenChange={(open) => !open && setTowards(undefined)}
      destructive={!isKept}
      title="Leave without saving?"
      body={
        isKept
          ? 'What you wrote is kept in this browser, and offered to you when you come back.'
          : 'This browser could not keep what you wrote. It would be lost.'
      }
      cancelLabel="Stay"
      confirmLabel="Leave"
      onConfirm={() => {
        if (towards !== undefined) router.push(towards)
      }}
    />
  )
}

/** The address of another page in this window that a click leads to. */
function leadsAway(event: MouseEvent): string | undefined {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return undefined
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement) || link.target === '_blank' || link.hasAttribute('download'))
    return undefined
  const isElsewhere = link.origin !== location.origin || link.pathname !== location.pathname
  return isElsewhere ? link.href : undefined
}
