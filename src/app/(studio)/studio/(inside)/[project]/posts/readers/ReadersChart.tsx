'use client'

import { type ComponentProps, lazy, Suspense } from 'react'
import { Skeleton } from '../../../../../../../ui/Skeleton'

const LineChart = lazy(async () => ({
  default: (await import('../../../../../../../ui/LineChart')).LineChart,
}))

/** Loaded once somebody looks at readers, and not with every post that is opened. */
export const ReadersChart = (props: ComponentProps<typeof LineChart>) => (
  <Suspense fallback={<Skeleton className="h-64 w-full" />}>
    <LineChart {...props} />
  </Suspense>
)
