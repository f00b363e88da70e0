'use client'

import { CalendarDays, ChevronDown, Ellipsis, Flag } from 'lucide-react'
import { useNavigation } from '#ui/navigation/Navigation'
import { useState } from 'react'
import { Button } from '#ui/Button'
import { deferred } from '#ui/deferral/deferred'
import { WhenOpened } from '#ui/deferral/WhenOpened'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Menu, type MenuEntry } from '#ui/overlay/Menu'
import { paths, type WebView } from '#studio/paths'
import { usePeriodKeys } from '#studio/parts/period-keys'
import { type ChangeHref, periodEntries } from './period-entries'
import { comparesWeekdays, comparisonLabel, periodLabel, withWeekdays } from './periods'
import { searchOf, type WebQuery } from './web-query'

interface ToolbarProps {
  slug: string
  view: WebView
  query: WebQuery
  /** The goals to choose from; without them, the control is left out. */
  goals?: readonly { id: string; name: string }[]
  /** Whether it is said who works on the product. */
  hasTestAccounts: boolean
  /** Whether pages can be shown by groups or one by one. */
  hasPageGroups?: boolean
  today: string
}

const daysDialog = deferred(async () => (await import('./DaysDialog')).DaysDialog)

/** The controls of the page: its period, the compared period, and the goal. */
export function Toolbar({
  slug,
  view,
  query,
  goals,
  hasTestAccounts,
  hasPageGroups = false,
  today,
}: ToolbarProps) {
  const [asking, setAsking] = useState<'period' | 'compare'>()
  const router = useNavigation()
  const to = (change: Partial<WebQuery>) => paths.webView(slug, view, searchOf({ ...query, ...change }))
  usePeriodKeys(
    (period) => router.push(to({ period, interval: undefined }), { scroll: false }),
    () => setAsking('period'),
  )

  return (
    <>
      <Menu
        align="end"
        trigger={<PeriodButton label={periodLabel(query.period)} />}
        entries={periodEntries(query, to, () => setAsking('period'))}
      />
      <Menu
        align="end"
        trigger={<CompareButton compare={query.compare} />}
        entries={comparisonEntries(query, to, setAsking)}
      />
      {goals && <GoalMenu slug={slug} query={query} goals={goals} to={to} />}
      <MoreMenu
        slug={slug}
        query={query}
        hasTestAccounts={hasTestAccounts}
        hasPageGroups={hasPageGroups}
        to={to}
      />
      <WhenOpened isOpen={asking !== undefined} load={daysDialog} onFailure={() => setAsking(undefined)}>
        {(DaysDialog) => (
          <DaysDialog
            title={asking === 'compare' ? 'Custom comparison' : 'Custom date range'}
            open={asking !== undefined}
            close={() => setAsking(undefined)}
            value={asking === 'compare' ? query.compare : query.period}
            today={today}
            onChoose={(days) => {
              if (asking) router.push(to({ [asking]: days, interval: undefined }), { scroll: false })
              setAsking(undefined)
            }}
          />
        )}
      </WhenOpened>
    </>
  )
}

function comparisonEntries(
  { compare }: WebQuery,
  to: ChangeHref,
  ask: (what: 'compare') => void,
): MenuEntry[] {
  const isByWeekday = comparesWeekdays(compare)
  const toggled = withWeekdays(compare, !isByWeekday)
  const link = (label: string, base: 'previous' | 'year'): MenuEntry => ({
    kind: 'link',
    label,
    href: to({ compare: withWeekdays(base, isByWeekday) }),
  })
  return [
    link('Previous period', 'previous'),
    link('Previous year', 'year'),
    { label: 'Custom range…', onSelect: () => ask('compare') },
    { kind: 'separator' },
    ...(toggled === undefined
      ? []
      : [
          {
            kind: 'link' as const,
            label: isByWeekday ? 'Match exact dates' : 'Match day of the week',
            hint: isByWeekday ? 'The days right before, whatever day of the week' : 'Mondays with Mondays',
            href: to({ compare: toggled }),
          },
          { kind: 'separator' as const },
        ]),
    { kind: 'link', label: 'No comparison', href: to({ compare: undefined }) },
  ]
}

const PeriodButton = ({ label, ...rest }: { label: string }) => (
  <Button
    {...rest}
    aria-label={`Date range: ${label}`}
    icon={<Icon of={CalendarDays} className="text-faint" />}
    iconEnd={<Icon of={ChevronDown} size="sm" className="text-faint" />}
  >
    {label}
  </Button>
)

/** Leaves out the rule by which the days were chosen if there is little room. */
function CompareButton({ compare, ...rest }: { compare: string | undefined }) {
  const label = comparisonLabel(compare).toLowerCase()
  const [period, rule] = comparesWeekdays(compare) ? label.split(', ') : [label]
  return (
    <Button {...rest} iconEnd={<Icon of={ChevronDown} size="sm" className="text-faint" />}>
      <span className="text-muted">vs</span> {period}
      {rule !== undefined && <span className="max-sm:hidden">, {rule}</span>}
    </Button>
  )
}

type GoalMenuProps = Required<Pick<ToolbarProps, 'slug' | 'query' | 'goals'>> & { to: ChangeHref }

function GoalMenu({ slug, query, goals, to }: GoalMenuProps) {
  const chosen = goals.find(({ id }) => id === query.goal)
  const none: MenuEntry[] = chosen ? [{ kind: 'link', label: 'No goal', href: to({ goal: undefined }) }] : []
  return (
    <Menu
      align="end"
      trigger={
        <Button
          aria-label={`Goal: ${chosen?.name ?? 'none'}`}
          icon={<Icon of={Flag} className="text-faint" />}
          iconEnd={<Icon of={ChevronDown} size="sm" className="text-faint" />}
        >
          <span className="max-w-40 truncate">{chosen?.name ?? 'Goal'}</span>
        </Button>
      }
      entries={[
        ...goals.map(({ id, name }): MenuEntry => ({ kind: 'link', label: name, href: to({ goal: id }) })),
        ...none,
        ...(goals.length > 0 ? [{ kind: 'separator' } as const] : []),
        { kind: 'link', label: 'Manage goals', href: paths.webView(slug, 'goals', searchOf(query)) },
      ]}
    />
  )
}

type MoreMenuProps = Pick<ToolbarProps, 'slug' | 'query' | 'hasTestAccounts' | 'hasPageGroups'> & {
  to: ChangeHref
}

function MoreMenu({ slug, query, hasTestAccounts, hasPageGroups, to }: MoreMenuProps) {
  const { withoutTestAccounts, singlePages, exact } = query
  const label = withoutTestAccounts ? 'Include internal and test users' : 'Filter out internal and test users'
  const define = { label: 'Define internal users in Settings', href: paths.analyticsSettings(slug) }
  return (
    <Menu
      align="end"
      trigger={<IconButton label="More" icon={<Icon of={Ellipsis} />} />}
      entries={[
        {
          kind: 'link',
          ...(hasTestAccounts ? { label, href: to({ withoutTestAccounts: !withoutTestAccounts }) } : define),
        },
        ...(hasPageGroups
          ? [
              {
                kind: 'link' as const,
                label: singlePages ? 'Group pages' : 'Show pages one by one',
                href: to({ singlePages: !singlePages }),
              },
            ]
          : []),
        ...(exact
          ? [
              {
                kind: 'link' as const,
                label: 'Count large numbers approximately',
                href: to({ exact: false }),
              },
            ]
          : []),
      ]}
    />
  )
}
