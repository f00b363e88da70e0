'use client'

import { type ComponentProps, lazy, Suspense } from 'react'
import { Skeleton } from '#ui/page/Skeleton'

const LineChart = lazy(async () => ({
  default: (await import('#ui/chart/LineChart')).LineChart,
}))

/** Loaded when the readers are shown, not with every opened post. */
export const ReadersChart = (props: ComponentProps<typeof LineChart>) => (
  <Suspense fallback={<Skeleton className="h-64 w-full" />}>
    <LineChart {...props} />
  </Suspense>
)
