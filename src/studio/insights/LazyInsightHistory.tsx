'use client'

import { type ComponentProps, lazy, Suspense } from 'react'
import { Skeleton } from '#ui/page/Skeleton'

const InsightHistory = lazy(async () => ({ default: (await import('./InsightHistory')).InsightHistory }))

/** Below the chart, and loaded after it. */
export const LazyInsightHistory = (props: ComponentProps<typeof InsightHistory>) => (
  <Suspense fallback={<Skeleton className="h-24 w-full" />}>
    <InsightHistory {...props} />
  </Suspense>
)
