'use client'

import type { ComponentProps } from 'react'
import { WaitingPanel } from '../WaitingPanel'
import { FirstCards } from './FirstCards'
import { type CardKind, firstCards } from './first-cards'

interface FirstVisitEventsProps extends Pick<ComponentProps<typeof WaitingPanel>, 'project' | 'address'> {
  buttons: readonly string[]
  /** Kinds of cards whose forms the member may send. */
  kinds: readonly CardKind[]
}

/** Shows the first event as it comes, and what can be made of it. */
export function FirstVisitEvents({ project, address, buttons, kinds }: FirstVisitEventsProps) {
  return (
    <WaitingPanel
      project={project}
      address={address}
      renderBelow={(liveEvents) => (
        <FirstCards
          cards={firstCards({ slug: project.slug, liveEvents, buttons }).filter(({ kind }) =>
            kinds.includes(kind),
          )}
        />
      )}
    />
  )
}
