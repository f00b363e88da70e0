'use client'

import { usePathname, useRouter, useSearchParams } from 'next/navigation'
import { useTransition } from 'react'

/** What a page is asked stands in its address; another question is another address. */
export function useAddress() {
  const router = useRouter()
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
