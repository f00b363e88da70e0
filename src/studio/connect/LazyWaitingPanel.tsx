'use client'

import { type ComponentProps, lazy, Suspense } from 'react'
import { Skeleton } from '#ui/page/Skeleton'

const WaitingPanel = lazy(async () => ({ default: (await import('./WaitingPanel')).WaitingPanel }))

/** Loaded on Home only before the first event. */
export const LazyWaitingPanel = (props: ComponentProps<typeof WaitingPanel>) => (
  <Suspense fallback={<Skeleton className="h-96 w-full" />}>
    <WaitingPanel {...props} />
  </Suspense>
)
