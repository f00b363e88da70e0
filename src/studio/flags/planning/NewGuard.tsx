'use client'

import { Plus } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { Skeleton } from '#ui/page/Skeleton'
import { ChangeDialog } from '#studio/parts/ChangeDialog'
import { startGuard } from '../actions'
import { guardInput, isGuardComplete, newGuardDraft } from './guard-draft'

const GuardFields = lazy(async () => ({ default: (await import('./GuardFields')).GuardFields }))

export interface NewGuardProps {
  slug: string
  flagKey: string
  environment: string
  /** The percentage of each condition set; 0 while the flag is off. */
  percentages: readonly number[]
  variants: readonly string[]
  goals: readonly { id: string; name: string }[]
  whyNot: string | undefined
}

/** Metrics, by how much, and how quickly it goes on. */
export function NewGuard({ slug, flagKey, environment, percentages, whyNot, ...choices }: NewGuardProps) {
  const [draft, setDraft] = useState(newGuardDraft)
  const missingSet =
    percentages.length === 0 ? 'Add a condition set first: it defines who gets the flag.' : undefined
  const incomplete = isGuardComplete(draft) ? undefined : 'Choose a metric first.'

  return (
    <ChangeDialog
      title="Guarded rollout"
      description={`Increases the rollout in ${environment} step by step while no metric regresses.`}
      onOpen={() => setDraft(newGuardDraft())}
      change={() => startGuard(slug, { flag: flagKey, environment, ...guardInput(draft, percentages) })}
      saved="Rollout started"
      trigger={
        <Button size="sm" icon={<Icon of={Plus} />} disabledReason={whyNot ?? missingSet}>
          Start…
        </Button>
      }
      submit="Start rollout"
      incomplete={incomplete}
    >
      <Suspense fallback={<Skeleton className="h-80 w-full" />}>
        <GuardFields
          draft={draft}
          onChange={(part) => setDraft((before) => ({ ...before, ...part }))}
          slug={slug}
          percentages={percentages}
          {...choices}
        />
      </Suspense>
    </ChangeDialog>
  )
}
