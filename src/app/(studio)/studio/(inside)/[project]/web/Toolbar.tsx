'use client'

import { CalendarDays, ChevronDown, Ellipsis, Flag } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { namedPeriods } from '#insights/calendar/named-periods'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { Menu, type MenuEntry } from '#ui/overlay/Menu'
import { paths, type WebView } from '#app/paths'
import { DaysDialog } from './DaysDialog'
import { comparisonLabel, periodGroups, periodLabel } from './periods'
import { searchOf, type WebQuestion } from './question'

interface ToolbarProps {
  slug: string
  view: WebView
  question: WebQuestion
  /** Those to choose from; none to be chosen where it is left out. */
  goals?: readonly { id: string; name: string }[]
  /** Whether it is said who works on the product. */
  hasTestAccounts: boolean
  today: string
}

/** What the page is about: which days, held against which, and what visitors are hoped to do. */
export function Toolbar({ slug, view, question, goals, hasTestAccounts, today }: ToolbarProps) {
  const [asking, setAsking] = useState<'period' | 'compare'>()
  const router = useRouter()
  const to = (change: Partial<WebQuestion>) => paths.webView(slug, view, searchOf({ ...question, ...change }))

  return (
    <>
      <Menu
        align="end"
        trigger={<PeriodButton label={periodLabel(question.period)} />}
        entries={periodEntries(to, setAsking)}
      />
      <Menu
        align="end"
        trigger={<CompareButton label={comparisonLabel(question.compare)} />}
        entries={[
          { kind: 'link', label: 'The period before', href: to({ compare: 'previous' }) },
          { kind: 'link', label: 'A year before', href: to({ compare: 'year' }) },
          { label: 'Other days…', onSelect: () => setAsking('compare') },
          { kind: 'separator' },
          { kind: 'link', label: 'No comparison', href: to({ compare: undefined }) },
        ]}
      />
      {goals && <GoalMenu slug={slug} question={question} goals={goals} to={to} />}
      <MoreMenu question={question} hasTestAccounts={hasTestAccounts} to={to} />
      <DaysDialog
        title={asking === 'compare' ? 'Compare with these days' : 'Show these days'}
        open={asking !== undefined}
        close={() => setAsking(undefined)}
        value={asking === 'compare' ? question.compare : question.period}
        today={today}
        onChoose={(days) => {
          if (asking) router.push(to({ [asking]: days }), { scroll: false })
          setAsking(undefined)
        }}
      />
    </>
  )
}

type ChangeHref = (change: Partial<WebQuestion>) => string

const periodEntries = (to: ChangeHref, ask: (what: 'period') => void): MenuEntry[] => [
  ...periodGroups.flatMap((group): MenuEntry[] => [
    ...group.map((period): MenuEntry => ({
      kind: 'link',
      label: namedPeriods[period],
      href: to({ period }),
    })),
    { kind: 'separator' },
  ]),
  { label: 'Other days…', onSelect: () => ask('period') },
]

const PeriodButton = ({ label, ...rest }: { label: string }) => (
  <Button
    {...rest}
    aria-label={`Period: ${label}`}
    icon={<Icon of={CalendarDays} className="text-faint" />}
    iconEnd={<Icon of={ChevronDown} size="sm" className="text-faint" />}
  >
    {label}
  </Button>
)

const CompareButton = ({ label, ...rest }: { label: string }) => (
  <Button {...rest} iconEnd={<Icon of={ChevronDown} size="sm" className="text-faint" />}>
    <span className="text-muted">vs</span> {label.toLowerCase()}
  </Button>
)

type GoalMenuProps = Required<Pick<ToolbarProps, 'slug' | 'question' | 'goals'>> & { to: ChangeHref }

function GoalMenu({ slug, question, goals, to }: GoalMenuProps) {
  const chosen = goals.find(({ id }) => id === question.goal)
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
        { kind: 'link', label: 'Manage goals', href: paths.webView(slug, 'goals', searchOf(question)) },
      ]}
    />
  )
}

function MoreMenu({
  question,
  hasTestAccounts,
  to,
}: Pick<ToolbarProps, 'question' | 'hasTestAccounts'> & { to: ChangeHref }) {
  const { withoutTestAccounts } = question
  return (
    <Menu
      align="end"
      trigger={<IconButton label="More" icon={<Icon of={Ellipsis} />} />}
      entries={[
        {
          kind: 'link',
          label: withoutTestAccounts ? 'Count test accounts again' : 'Leave out test accounts',
          href: to({ withoutTestAccounts: !withoutTestAccounts }),
          disabledReason: hasTestAccounts ? undefined : 'No internal accounts are set up.',
        },
      ]}
    />
  )
}
