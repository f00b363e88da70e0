'use client'

import { type ComponentProps, lazy, Suspense } from 'react'
import { Skeleton } from '#ui/page/Skeleton'

const NewTrial = lazy(async () => ({ default: (await import('./NewTrial')).NewTrial }))

/** Loaded when the headlines are shown, not with every opened post. */
export const LazyNewTrial = (props: ComponentProps<typeof NewTrial>) => (
  <Suspense fallback={<Skeleton className="h-96 w-full" />}>
    <NewTrial {...props} />
  </Suspense>
)
