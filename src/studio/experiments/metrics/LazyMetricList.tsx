'use client'

import { type ComponentProps, lazy, Suspense } from 'react'
import { Skeleton } from '#ui/page/Skeleton'

const MetricList = lazy(async () => ({ default: (await import('./MetricList')).MetricList }))

/** Loaded after the fields above it, with the dialogs of its metrics. */
export const LazyMetricList = (props: ComponentProps<typeof MetricList>) => (
  <Suspense fallback={<Skeleton className="h-24 w-full" />}>
    <MetricList {...props} />
  </Suspense>
)
