'use client'

import { Share2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { Share, ShareSubject } from '../../../dashboards/shares'
import { Button } from '../../../ui/Button'
import { Dialog } from '../../../ui/Dialog'
import { Icon } from '../../../ui/Icon'
import { Skeleton } from '../../../ui/Skeleton'
import type { Clock } from '../When'

export interface ShareGround {
  slug: string
  subject: ShareSubject
  name: string
  /** Of the whole project; those of other subjects are left out here. */
  shares: readonly Share[]
  clock: Clock
}

const Shares = lazy(async () => ({ default: (await import('./Shares')).Shares }))

/** Shows something to people outside: by a link, with a password or without, and in frames of listed hosts. */
export function ShareButton({ whyNot, ...ground }: ShareGround & { whyNot?: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Dialog
      title={`Share ${ground.name}`}
      description="Whoever has the link sees it and nothing else. They cannot reach the persons behind a number."
      size="lg"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button icon={<Icon of={Share2} />} disabledReason={whyNot}>
          Share…
        </Button>
      }
    >
      <Suspense fallback={<Skeleton className="h-48 w-full" />}>
        <Shares {...ground} />
      </Suspense>
    </Dialog>
  )
}
