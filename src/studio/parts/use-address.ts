'use client'

import { usePathname, useSearchParams } from 'next/navigation'
import { useNavigation } from '#ui/navigation/Navigation'
import { useTransition } from 'react'

/** Holds the parameters of a page in its address. */
export function useAddress() {
  const router = useNavigation()
  const pathname = usePathname() ?? ''
  const search = useSearchParams()
  const [isPending, startTransition] = useTransition()

  function ask(changed: Record<string, string | undefined>) {
    const next = new URLSearchParams(search ?? undefined)
    for (const [name, value] of Object.entries(changed))
      if (value === undefined) next.delete(name)
      else next.set(name, value)
    const address = next.size > 0 ? `${pathname}?${next}` : pathname
    startTransition(() => router.replace(address, { scroll: false }))
  }

  return { ask, isPending }
}
