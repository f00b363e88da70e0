'use client'

import { Filter as FilterIcon, Maximize, Save, Undo2, X, RefreshCw } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState, useEffect, useEffectEvent, useTransition } from 'react'
import type { ViewOverrides } from '#dashboards/dashboard'
import type { Filter } from '#filters/filter'
import { namedComparisons } from '#insights/calendar/named-periods'
import { PeriodPicker } from '#studio/insights/form/PeriodPicker'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Popover } from '#ui/overlay/Popover'
import { Select } from '#ui/form/Select'
import { Skeleton } from '#ui/page/Skeleton'
import { Spinner } from '#ui/Spinner'
import { useToast } from '#ui/overlay/Toast'
import { useDirectChange } from '#studio/parts/Change'
import { useNavigation } from '#ui/navigation/Navigation'
import { saveView } from './changes'
import { boardId } from './board-id'
import { useAddress } from '#studio/parts/use-address'

const FilterEditor = lazy(async () => ({
  default: (await import('#studio/filters/FilterEditor')).FilterEditor,
}))

const ownPeriod = 'own'

const comparisons = [
  { value: ownPeriod, label: 'Default comparison' },
  ...Object.entries(namedComparisons).map(([value, label]) => ({ value, label })),
  { value: 'none', label: 'No comparison' },
]

const refreshes = [
  { value: '0', label: 'Off' },
  { value: '1', label: 'Every minute' },
  { value: '5', label: 'Every 5 minutes' },
  { value: '15', label: 'Every 15 minutes' },
] as const

const savedOption = { period: undefined, compare: undefined, filter: undefined, refresh: undefined }

interface DashboardToolbarProps {
  slug: string
  id: string
  overrides: ViewOverrides
  kept: ViewOverrides
  whyNot?: string
  /** The button that lists the annotations of the charts. */
  annotations: ReactNode
}

/**
 * Overrides period, comparison and filter of all cards. The address holds them until a member saves them. What is for a
 * screen on the wall is left out on a phone.
 */
export function DashboardToolbar({ slug, id, overrides, kept, whyNot, annotations }: DashboardToolbarProps) {
  const { ask, isPending } = useAddress()

  return (
    <div className="flex flex-wrap items-center gap-2">
      <PeriodPicker
        isOfPage
        value={overrides.period ?? 'Default date range'}
        onChange={(period) => ask({ period })}
      />
      {overrides.period !== undefined && (
        <IconButton
          label="Reset date range"
          icon={<Icon of={X} />}
          onClick={() => ask({ period: ownPeriod })}
        />
      )}
      <Select
        fit
        lead="Compare with"
        aria-label="Compare with"
        options={comparisons}
        value={comparisons.find(({ value }) => value === overrides.compare)?.value ?? ownPeriod}
        onChange={(compare) => ask({ compare })}
      />
      <FilterPopover slug={slug} filter={overrides.filter} onChange={(filter) => ask({ filter })} />
      {isPending && <Spinner size="sm" />}
      <span className="grow" />
      {!isSame(overrides, kept) && (
        <>
          <Button size="sm" variant="quiet" icon={<Icon of={Undo2} />} onClick={() => ask(savedOption)}>
            Reset
          </Button>
          <SaveView slug={slug} id={id} overrides={overrides} whyNot={whyNot} />
        </>
      )}
      {annotations}
      <span className="max-md:hidden">
        <Select
          fit
          lead="Auto-refresh"
          aria-label="Auto-refresh"
          options={refreshes}
          value={refreshes.find(({ value }) => value === String(overrides.refreshMinutes))?.value ?? '0'}
          onChange={(refresh) => ask({ refresh })}
        />
      </span>
      <AutoRefresh minutes={overrides.refreshMinutes} />
      <span className="max-md:hidden">
        <FullScreen />
      </span>
    </div>
  )
}

function FilterPopover({
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
      label="Filters"
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

const isSame = (one: ViewOverrides, other: ViewOverrides): boolean => textOf(one) === textOf(other)
const textOf = ({ period, compare, filter, refreshMinutes }: ViewOverrides): string =>
  JSON.stringify([period, compare, filter, refreshMinutes])

/** Saves this view for all members. */
function SaveView({
  slug,
  id,
  overrides,
  whyNot,
}: Omit<DashboardToolbarProps, 'kept' | 'annotations'>): ReactNode {
  const showToast = useToast()
  const { make, question } = useDirectChange()
  const keep = async () => {
    const failed = await make(() => saveView(slug, id, overrides), {
      saved: 'Saved as default',
    })
    if (failed) showToast({ title: failed.error, tone: 'danger' })
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
        Save as default
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

/** Refreshes the page every `minutes` and shows the time left. Pauses while the tab is hidden. */
function AutoRefresh({ minutes }: { minutes: number }) {
  const router = useNavigation()
  const [isPending, startTransition] = useTransition()
  const refresh = () => startTransition(() => router.refresh())

  return (
    <span className="flex items-center gap-1">
      <IconButton label="Refresh" icon={<Icon of={RefreshCw} />} busy={isPending} onClick={refresh} />
      {minutes > 0 && <Countdown key={minutes} seconds={minutes * 60} onEnd={refresh} />}
    </span>
  )
}

function Countdown({ seconds, onEnd }: { seconds: number; onEnd: () => void }) {
  const [left, setLeft] = useState(seconds)
  const end = useEffectEvent(onEnd)

  useEffect(() => {
    let now = seconds
    const timer = setInterval(() => {
      if (document.hidden) return
      now = now > 1 ? now - 1 : seconds
      setLeft(now)
      if (now === seconds) end()
    }, 1000)
    return () => clearInterval(timer)
  }, [seconds])

  return (
    <span role="timer" aria-label="Time to next refresh" className="text-xs text-muted tabular-nums">
      {clock(left)}
    </span>
  )
}

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
