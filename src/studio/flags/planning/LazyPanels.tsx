'use client'

import { type ComponentProps, lazy, Suspense } from 'react'
import { Skeleton } from '#ui/page/Skeleton'

const SchedulePanel = lazy(async () => ({ default: (await import('./SchedulePanel')).SchedulePanel }))
const GuardPanel = lazy(async () => ({ default: (await import('./GuardPanel')).GuardPanel }))

/** Below the rules of a flag, and loaded after them. */
export const LazySchedulePanel = (props: ComponentProps<typeof SchedulePanel>) => (
  <Suspense fallback={<Skeleton className="h-40 w-full" />}>
    <SchedulePanel {...props} />
  </Suspense>
)

/** Below the rules of a flag, and loaded after them. */
export const LazyGuardPanel = (props: ComponentProps<typeof GuardPanel>) => (
  <Suspense fallback={<Skeleton className="h-40 w-full" />}>
    <GuardPanel {...props} />
  </Suspense>
)
