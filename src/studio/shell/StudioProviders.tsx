'use client'

import { useRouter } from 'next/navigation'
import { type ReactNode, useMemo, useState } from 'react'
import { NavigationProvider, type Router } from '#ui/navigation/Navigation'
import { UiProvider } from '#ui/UiProvider'

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

/**
 * Pages that the store answers alone, below the address of a project. A link to one of them is fetched with everything
 * it shows as soon as a person means to follow it. Other pages ask the engine, which is too much for a pointer at rest.
 */
const storeOnlyPages: readonly RegExp[] = [
  /^alerts(?:\/reports)?$/,
  /^connect$/,
  /^dashboards$/,
  /^flags(?:\/[^/]+(?:\/code|\/history)?)?$/,
  /^insights$/,
  /^people\/cohorts$/,
  /^posts\/(?:new|authors|redirects|site|comments)$/,
  /^settings(?:\/(?!system)[a-z]+)?$/,
  /^sql$/,
  /^surveys(?:\/new)?$/,
  /^web\/goals$/,
]

/** Whether a link to this address is fetched before it is followed. */
export function isCheapToPrefetch(address: string): boolean {
  const [, page] = /^\/studio\/[^/?#]+\/([^?#]+)/.exec(address) ?? []
  return page !== undefined && storeOnlyPages.some((pattern) => pattern.test(page))
}
