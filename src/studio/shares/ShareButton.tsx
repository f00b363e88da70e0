'use client'

import { Share2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { ListedShare, ShareSubject } from '#shares/shares'
import { Button } from '#ui/Button'
import { Dialog } from '#ui/overlay/Dialog'
import { Icon } from '#ui/Icon'
import { Skeleton } from '#ui/page/Skeleton'
import type { ReportMetrics } from './ReportPartsFields'
import type { Clock } from '#studio/parts/RelativeTime'

export interface ShareContext {
  slug: string
  subject: ShareSubject
  name: string
  /** The shares of the whole project; those of other subjects are filtered out here. */
  shares: readonly ListedShare[]
  clock: Clock
  /** The metrics of a shared experiment. */
  metrics?: ReportMetrics
}

const Shares = lazy(async () => ({ default: (await import('./ShareList')).ShareList }))

/** Shows something to people outside: by a link, with a password or without, and in frames of listed hosts. */
export function ShareButton({ whyNot, ...context }: ShareContext & { whyNot?: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Dialog
      title={`Share ${context.name}`}
      description="Anyone with the link can view this, and nothing else. People stay hidden."
      size="lg"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button icon={<Icon of={Share2} />} disabledReason={whyNot} data-share-page>
          Share…
        </Button>
      }
    >
      <Suspense fallback={<Skeleton className="h-48 w-full" />}>
        <Shares {...context} />
      </Suspense>
    </Dialog>
  )
}
