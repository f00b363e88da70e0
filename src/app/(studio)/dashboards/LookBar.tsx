'use client'

import { Filter as FilterIcon, Maximize, Save, Undo2, X } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { Look } from '../../../dashboards/dashboard'
import type { Filter } from '../../../filters/filter'
import { PeriodPicker } from '../../../insights/PeriodPicker'
import { Button } from '../../../ui/Button'
import { Icon } from '../../../ui/Icon'
import { IconButton } from '../../../ui/IconButton'
import { Popover } from '../../../ui/Popover'
import { Select } from '../../../ui/Select'
import { Skeleton } from '../../../ui/Skeleton'
import { Spinner } from '../../../ui/Spinner'
import { useToast } from '../../../ui/Toast'
import { useDirectChange } from '../Change'
import { AutoRefresh } from './AutoRefresh'
import { keepLook } from './changes'
import { boardId } from './board-id'
import { useAddress } from './use-address'

const FilterEditor = lazy(async () => ({ default: (await import('../filters/FilterEditor')).FilterEditor }))

const own = 'own'

const comparisons = [
  { value: own, label: 'As each card says' },
  { value: 'previous', label: 'The period before' },
  { value: 'year', label: 'A year before' },
  { value: 'none', label: 'Nothing' },
] as const

const refreshes = [
  { value: '0', label: 'Off' },
  { value: '1', label: 'Every minute' },
  { value: '5', label: 'Every 5 minutes' },
  { value: '15', label: 'Every 15 minutes' },
] as const

const asKept = { period: undefined, compare: undefined, filter: undefined, refresh: undefined }

interface LookBarProps {
  slug: string
  id: string
  look: Look
  kept: Look
  whyNot?: string
}

/** What the whole dashboard is asked in the place of its cards: it stands in the address until somebody keeps it. */
export function LookBar({ slug, id, look, kept, whyNot }: LookBarProps) {
  const { ask, isPending } = useAddress()

  return (
    <div className="flex flex-wrap items-center gap-2">
      <PeriodPicker value={look.period ?? 'As each card says'} onChange={(period) => ask({ period })} />
      {look.period !== undefined && (
        <IconButton
          label="Leave the period to each card"
          icon={<Icon of={X} />}
          onClick={() => ask({ period: own })}
        />
      )}
      <Select
        fit
        lead="Compare with"
        aria-label="Compare with"
        options={comparisons}
        value={comparisons.find(({ value }) => value === look.compare)?.value ?? own}
        onChange={(compare) => ask({ compare })}
      />
      <Conditions slug={slug} filter={look.filter} onChange={(filter) => ask({ filter })} />
      {isPending && <Spinner size="sm" />}
      <span className="grow" />
      {!isSame(look, kept) && (
        <>
          <Button size="sm" variant="quiet" icon={<Icon of={Undo2} />} onClick={() => ask(asKept)}>
            As it was kept
          </Button>
          <Keep slug={slug} id={id} look={look} whyNot={whyNot} />
        </>
      )}
      <Select
        fit
        lead="Look again"
        aria-label="Look again"
        options={refreshes}
        value={refreshes.find(({ value }) => value === String(look.refreshMinutes))?.value ?? '0'}
        onChange={(refresh) => ask({ refresh })}
      />
      <AutoRefresh minutes={look.refreshMinutes} />
      <FullScreen />
    </div>
  )
}

function Conditions({
  slug,
  filter,
  onChange,
}: {
  slug: string
  filter: Filter | undefined
  onChange: (filter: string) => void
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Popover
      label="Only what fits"
      open={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button icon={<Icon of={FilterIcon} className="text-faint" />}>
          {filter ? 'Filtered' : 'Filter'}
        </Button>
      }
    >
      <div className="w-[min(36rem,80vw)]">
        {isOpen && (
          <Suspense fallback={<Skeleton className="h-16 w-full" />}>
            <FilterEditor
              value={filter}
              onChange={(next) => onChange(next ? JSON.stringify(next) : 'none')}
              projectSlug={slug}
              of={['event', 'person', 'session', 'group', 'cohort']}
            />
          </Suspense>
        )}
      </div>
    </Popover>
  )
}

const isSame = (one: Look, other: Look): boolean => textOf(one) === textOf(other)
const textOf = ({ period, compare, filter, refreshMinutes }: Look): string =>
  JSON.stringify([period, compare, filter, refreshMinutes])

/** Makes this look everybody's. */
function Keep({ slug, id, look, whyNot }: Omit<LookBarProps, 'kept'>): ReactNode {
  const say = useToast()
  const { make, question } = useDirectChange()
  const keep = async () => {
    const failed = await make(() => keepLook(slug, id, look), { saved: 'Everybody sees it so from now on' })
    if (failed) say({ title: failed.error, tone: 'danger' })
  }
  return (
    <>
      <Button
        size="sm"
        variant="quiet"
        icon={<Icon of={Save} />}
        disabledReason={whyNot}
        onClick={() => void keep()}
      >
        Keep for everybody
      </Button>
      {question}
    </>
  )
}

/** For a screen on the wall: the cards alone. */
function FullScreen() {
  return (
    <IconButton
      label="Full screen"
      icon={<Icon of={Maximize} />}
      onClick={() => void document.getElementById(boardId)?.requestFullscreen()}
    />
  )
}
