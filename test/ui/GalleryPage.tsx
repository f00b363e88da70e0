import {
  BarChart3,
  CircleHelp,
  FileText,
  Flag,
  FlaskConical,
  LayoutDashboard,
  MessageSquare,
  Settings,
  Sprout,
  Users,
  Radio,
} from 'lucide-react'
import { AppFrame } from '#ui/page/AppFrame'
import { Avatar } from '#ui/Avatar'
import { Badge } from '#ui/Badge'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Menu } from '#ui/overlay/Menu'
import { Page } from '#ui/page/Page'
import { Panel } from '#ui/page/Panel'
import { SearchButton } from '#ui/overlay/SearchButton'
import { Select } from '#ui/form/Select'
import { SidebarLink, SidebarSection, Switcher } from '#ui/page/Sidebar'
import { Stat, Stats } from '#ui/chart/Stat'
import { Table } from '#ui/table/Table'
import type { TableColumn } from '#ui/table/column'
import { compact, duration, percent } from '#ui/format'

export function GalleryPage() {
  return (
    <AppFrame brand={<Brand />} sidebar={<Links />} sidebarFoot={<Foot />} topbar={<Topbar />}>
      <Overview />
    </AppFrame>
  )
}

function Brand() {
  return (
    <Menu
      trigger={<Switcher sign={<Icon of={Sprout} size="sm" />} name="Acme shop" detail="shop.example.com" />}
      entries={[{ kind: 'link', label: 'Acme blog', href: '#blog' }]}
    />
  )
}

function Links() {
  return (
    <>
      <SidebarSection>
        <SidebarLink href="#overview" label="Overview" icon={<Icon of={LayoutDashboard} />} current />
        <SidebarLink href="#live" label="Live" icon={<Icon of={Radio} />} count={12} />
        <SidebarLink href="#insights" label="Insights" icon={<Icon of={BarChart3} />} />
        <SidebarLink href="#persons" label="People" icon={<Icon of={Users} />} />
      </SidebarSection>
      <SidebarSection label="Change">
        <SidebarLink href="#flags" label="Flags" icon={<Icon of={Flag} />} count={8} />
        <SidebarLink href="#experiments" label="Experiments" icon={<Icon of={FlaskConical} />} />
        <SidebarLink href="#surveys" label="Surveys" icon={<Icon of={MessageSquare} />} />
      </SidebarSection>
      <SidebarSection label="Publish">
        <SidebarLink href="#posts" label="Posts" icon={<Icon of={FileText} />} />
      </SidebarSection>
    </>
  )
}

function Foot() {
  return (
    <div className="flex items-center gap-2">
      <Avatar name="Ana Lima" decorative />
      <span className="grow truncate">Ana Lima</span>
      <IconButton label="Settings" icon={<Icon of={Settings} />} size="sm" />
    </div>
  )
}

function Topbar() {
  return (
    <>
      <SearchButton label="Search or jump to…" shortcut="mod+K" onClick={() => undefined} />
      <span className="grow" />
      <IconButton label="Help" icon={<Icon of={CircleHelp} />} />
    </>
  )
}

type Line = { name: string; visitors: number }

const columns: TableColumn<Line>[] = [
  {
    key: 'name',
    header: 'Name',
    cell: (row) => row.name,
    share: (row) => row.visitors / 12400,
    truncate: true,
  },
  { key: 'visitors', header: 'Visitors', cell: (row) => compact(row.visitors), numeric: true, width: '6rem' },
]

const pages: Line[] = [
  { name: '/', visitors: 12345 },
  { name: '/pricing', visitors: 6120 },
  { name: '/blog/what-we-measure', visitors: 4410 },
  { name: '/docs/start', visitors: 2207 },
  { name: '/about', visitors: 640 },
]
const sources: Line[] = [
  { name: 'Direct', visitors: 9120 },
  { name: 'google.com', visitors: 5310 },
  { name: 'news.ycombinator.com', visitors: 2400 },
  { name: 'github.com', visitors: 1207 },
  { name: 'chatgpt.com', visitors: 803 },
]

function Overview() {
  return (
    <Page
      title="Overview"
      badge={
        <Badge tone="success" dot>
          12 online
        </Badge>
      }
      actions={
        <Select
          aria-label="Compare with"
          options={[{ value: 'previous', label: 'Previous period' }]}
          defaultValue="previous"
          lead="vs"
          fit
        />
      }
    >
      <Stats>
        <Stat
          label="Visitors"
          value={compact(24810)}
          change={{ from: 22100, to: 24810 }}
          href="#visitors"
          current
        />
        <Stat label="Visits" value={compact(31200)} change={{ from: 30100, to: 31200 }} href="#visits" />
        <Stat label="Views per visit" value="2.41" change={{ from: 2.41, to: 2.41 }} href="#views" />
        <Stat
          label="Bounce rate"
          value={percent(0.412)}
          change={{ from: 0.39, to: 0.412, good: 'down' }}
          href="#bounce"
        />
        <Stat
          label="Visit duration"
          value={duration(83_000)}
          change={{ from: 80_000, to: 83_000 }}
          href="#duration"
        />
      </Stats>
      <Panel
        title="Visitors"
        actions={
          <LinkTabs
            look="segment"
            label="Interval"
            tabs={[
              { href: '#day', label: 'Day', current: true },
              { href: '#week', label: 'Week' },
              { href: '#month', label: 'Month' },
            ]}
          />
        }
      >
        <Lines />
      </Panel>
      <div className="grid gap-6 lg:grid-cols-2">
        <Panel
          title="Pages"
          flush
          footer={
            <a href="#pages" className="hover:text-ink">
              All 214 pages
            </a>
          }
        >
          <Table
            caption="Pages"
            dense
            columns={columns}
            rows={pages}
            rowKey={(row) => row.name}
            rowHref={(row) => `#${row.name}`}
            empty={null}
          />
        </Panel>
        <Panel
          title="Sources"
          flush
          footer={
            <a href="#sources" className="hover:text-ink">
              All 61 sources
            </a>
          }
        >
          <Table
            caption="Sources"
            dense
            columns={columns}
            rows={sources}
            rowKey={(row) => row.name}
            rowHref={(row) => `#${row.name}`}
            empty={null}
          />
        </Panel>
      </div>
    </Page>
  )
}

/** Rounded, because engines differ in the last digit of a sine and markup must not. */
const wave = (phase: number, height: number) =>
  Array.from(
    { length: 30 },
    (_, day) => `${day * 34},${Math.round(180 - height * (1 + Math.sin(day / 3 + phase) * 0.35 + day / 60))}`,
  ).join(' ')

/** Only to see the chart colours at work. */
function Lines() {
  return (
    <svg
      viewBox="0 0 986 200"
      role="img"
      aria-label="Visitors by day"
      className="h-52 w-full"
      preserveAspectRatio="none"
    >
      {[20, 60, 100, 140, 180].map((y) => (
        <line
          key={y}
          x1="0"
          x2="986"
          y1={y}
          y2={y}
          stroke="var(--color-chart-grid)"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {[90, 60, 35].map((height, series) => (
        <polyline
          key={height}
          points={wave(series, height)}
          fill="none"
          stroke={`var(--color-chart-${series + 1})`}
          strokeWidth="2"
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  )
}
