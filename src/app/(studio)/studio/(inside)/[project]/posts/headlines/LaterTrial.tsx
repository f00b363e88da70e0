'use client'

import { type ComponentProps, lazy, Suspense } from 'react'
import { Skeleton } from '../../../../../../../ui/Skeleton'

const NewTrial = lazy(async () => ({ default: (await import('./NewTrial')).NewTrial }))

/** Loaded once somebody looks at headlines, and not with every post that is opened. */
export const LaterTrial = (props: ComponentProps<typeof NewTrial>) => (
  <Suspense fallback={<Skeleton className="h-96 w-full" />}>
    <NewTrial {...props} />
  </Suspense>
)
