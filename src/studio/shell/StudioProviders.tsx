'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useMemo, useState } from 'react'
import { NavigationProvider, type Router } from '#ui/navigation/Navigation'
import { UiProvider } from '#ui/UiProvider'
import { isCheapToPrefetch } from '#studio/parts/prefetching'

/** The providers of the whole interface. Its links navigate by Next's router. */
export function StudioProviders({ nonce, children }: { nonce?: string; children: ReactNode }) {
  // Scripts that are fetched later come with a nonce of their own, while the browser goes by the document's to the
  // end.
  const [nonceOfDocument] = useState(nonce)
  const router = useRouter()
  const navigating = useMemo<Router>(
    () => ({
      push: (address, options) => router.push(address, options),
      replace: (address, options) => router.replace(address, options),
      refresh: () => router.refresh(),
      prefetch: (address) => isCheapToPrefetch(address) && router.prefetch(address, withData),
    }),
    [router],
  )

  return (
    <NavigationProvider router={navigating} isOwn={isInStudio}>
      <UiProvider nonce={nonceOfDocument}>{children}</UiProvider>
    </NavigationProvider>
  )
}

const isInStudio = (address: string) => address.startsWith('/studio')

// Next does not export the enum, and compares its text.
const withData = { kind: 'full' } as unknown as Parameters<ReturnType<typeof useRouter>['prefetch']>[1]
