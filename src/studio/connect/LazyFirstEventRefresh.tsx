'use client'

import { type ComponentProps, lazy, Suspense } from 'react'

const FirstEventRefresh = lazy(async () => ({
  default: (await import('./FirstEventRefresh')).FirstEventRefresh,
}))

/** Loaded only before the first event of a project. */
export const LazyFirstEventRefresh = (props: ComponentProps<typeof FirstEventRefresh>) => (
  <Suspense fallback={null}>
    <FirstEventRefresh {...props} />
  </Suspense>
)
