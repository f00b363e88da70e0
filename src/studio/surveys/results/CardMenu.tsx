'use client'

import { LayoutDashboard } from 'lucide-react'
import { useState } from 'react'
import type { CardContent } from '#dashboards/dashboard'
import { Button } from '#ui/Button'
import { deferred } from '#ui/deferral/deferred'
import { WhenOpened } from '#ui/deferral/WhenOpened'
import { Icon } from '#ui/Icon'
import { Menu } from '#ui/overlay/Menu'

const placeDialog = deferred(
  async () => (await import('#studio/card-placement/AddToDashboard')).AddToDashboard,
)

/** A result that can be a card of a dashboard. */
export interface ResultCard {
  label: string
  content: Extract<CardContent, { type: 'question' }>
}

/** Adds results to a dashboard, as they are narrowed now. */
export function CardMenu({
  slug,
  cards,
  dashboards,
  whyNot,
}: {
  slug: string
  cards: readonly ResultCard[]
  dashboards: readonly { id: string; name: string }[]
  whyNot: string | undefined
}) {
  const [chosen, setChosen] = useState<ResultCard>()
  return (
    <>
      <Menu
        align="end"
        trigger={<Button icon={<Icon of={LayoutDashboard} />}>Add to dashboard</Button>}
        entries={cards.map((card) => ({
          label: card.label,
          onSelect: () => setChosen(card),
          disabledReason: whyNot,
        }))}
      />
      <WhenOpened isOpen={chosen !== undefined} load={placeDialog} onFailure={() => setChosen(undefined)}>
        {(AddToDashboard) =>
          chosen && (
            <AddToDashboard
              slug={slug}
              name={chosen.label}
              content={chosen.content}
              dashboards={dashboards}
              open
              onClose={() => setChosen(undefined)}
            />
          )
        }
      </WhenOpened>
    </>
  )
}
