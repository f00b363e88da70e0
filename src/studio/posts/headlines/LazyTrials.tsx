'use client'

import { type ComponentProps, lazy, Suspense } from 'react'
import { Skeleton } from '#ui/page/Skeleton'

const NewTrial = lazy(async () => ({ default: (await import('./NewTrial')).NewTrial }))
const RunningTrial = lazy(async () => ({ default: (await import('./RunningTrial')).RunningTrial }))

/** Loaded when the headlines are shown, not with every opened post. */
export const LazyNewTrial = (props: ComponentProps<typeof NewTrial>) => (
  <Suspense fallback={<Skeleton className="h-96 w-full" />}>
    <NewTrial {...props} />
  </Suspense>
)

/** Loaded when the headlines are shown, not with every opened post. */
export const LazyRunningTrial = (props: ComponentProps<typeof RunningTrial>) => (
  <Suspense fallback={<Skeleton className="h-96 w-full" />}>
    <RunningTrial {...props} />
  </Suspense>
)
