'use client'

import { type ComponentProps, lazy, Suspense } from 'react'
import { Skeleton } from '#ui/page/Skeleton'

const Builder = lazy(async () => ({ default: (await import('./Builder')).Builder }))

/** Loaded when a saved insight is edited, not when it is looked at. */
export const LazyBuilder = (props: ComponentProps<typeof Builder>) => (
  <Suspense fallback={<Skeleton className="h-96 w-full" />}>
    <Builder {...props} />
  </Suspense>
)
