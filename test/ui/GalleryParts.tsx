import {
  Archive,
  Copy,
  Ellipsis,
  Flag,
  Globe,
  Link2,
  Mail,
  Moon,
  Pencil,
  Plus,
  Search,
  Sprout,
  Trash2,
} from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { TextLink } from '#ui/Anchor'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Avatar } from '#ui/Avatar'
import { Badge, StatusDot } from '#ui/Badge'
import { Button } from '#ui/Button'
import { Checkbox } from '#ui/form/Checkbox'
import { CodeBlock } from '#ui/copy/CodeBlock'
import { Combobox, MultiCombobox } from '#ui/form/Combobox'
import { CommandPalette } from '#ui/overlay/CommandPalette'
import { CopyField } from '#ui/copy/CopyField'
import { DescriptionList } from '#ui/DescriptionList'
import { Dialog, DialogClose } from '#ui/overlay/Dialog'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { FailedMessage } from '#ui/page/FailedMessage'
import { Field } from '#ui/form/Field'
import { Form } from '#ui/form/Form'
import { FormError } from '#ui/form/FormError'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { KeyHint } from '#ui/keyboard/KeyHint'
import { LinkButton } from '#ui/LinkButton'
import { LinkTabs } from '#ui/page/LinkTabs'
import { Menu } from '#ui/overlay/Menu'
import { Notice } from '#ui/page/Notice'
import { NumberInput } from '#ui/form/NumberInput'
import { CursorPagination, PagePagination } from '#ui/table/Pagination'
import { Panel } from '#ui/page/Panel'
import { PasswordInput } from '#ui/form/PasswordInput'
import { Popover } from '#ui/overlay/Popover'
import { Progress } from '#ui/Progress'
import { RadioGroup } from '#ui/form/RadioGroup'
import { SegmentedControl } from '#ui/form/SegmentedControl'
import { Select } from '#ui/form/Select'
import { useShortcut } from '#ui/keyboard/shortcut'
import { ShortcutSheet } from '#ui/overlay/ShortcutSheet'
import { Loading, Skeleton } from '#ui/page/Skeleton'
import { Spinner } from '#ui/Spinner'
import { Switch } from '#ui/form/Switch'
import { Table } from '#ui/table/Table'
import type { TableColumn, Sort } from '#ui/table/column'
import { Tabs } from '#ui/page/Tabs'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { useToast } from '#ui/overlay/Toast'
import { Tooltip } from '#ui/overlay/Tooltip'
import { compact, percent } from '#ui/format'

export function GalleryParts() {
  return (
    <main className="mx-auto flex max-w-page flex-col gap-10 px-4 py-8 sm:px-8">
      <h1 className="text-3xl font-semibold">Parts</h1>
      <Colours />
      <TypeScale />
      <Buttons />
      <Fields />
      <Layers />
      <Views />
      <Tables />
      <Pieces />
      <Messages />
    </main>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-4">
      <h2 className="border-b border-line pb-2 text-lg font-semibold">{title}</h2>
      {children}
    </section>
  )
}

const Row = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-3">{children}</div>
)

const backgrounds = [
  'bg-canvas',
  'bg-surface',
  'bg-raised',
  'bg-sunken',
  'bg-control',
  'bg-accent-soft',
  'bg-accent',
]
const charts = [
  'bg-chart-1',
  'bg-chart-2',
  'bg-chart-3',
  'bg-chart-4',
  'bg-chart-5',
  'bg-chart-6',
  'bg-chart-7',
  'bg-chart-8',
  'bg-chart-rest',
]

function Colours() {
  return (
    <Section title="Colours">
      <Row>
        {backgrounds.map((background) => (
          <span key={background} className="flex w-24 flex-col gap-1 text-2xs text-muted">
            <span className={`h-10 rounded-md border border-line ${background}`} />
            {background}
          </span>
        ))}
      </Row>
      <Row>
        {charts.map((chart) => (
          <span key={chart} className="flex w-24 flex-col gap-1 text-2xs text-muted">
            <span className={`h-10 rounded-md ${chart}`} />
            {chart}
          </span>
        ))}
      </Row>
    </Section>
  )
}

function TypeScale() {
  return (
    <Section title="Type">
      <p className="text-3xl font-semibold">Everything a website needs to grow</p>
      <p className="text-2xl font-semibold">Visitors by country, Illinois 1,234,567</p>
      <p className="text-xl font-semibold">The numbers are right</p>
      <p className="text-lg">Nothing flickers, nothing was lost, it is yours.</p>
      <p className="max-w-xl text-base text-muted">
        Read at fourteen pixels: a person is who a visitor turned out to be. Žluťoučký kůň, Ελληνικά,
        Кириллица, “quotes” and <TextLink href="#type">a link inside a sentence</TextLink>.
      </p>
      <p className="text-xs text-faint">
        Faint words at twelve pixels, and mono: <code className="font-mono">phc_9fK2lIl10O</code>
      </p>
    </Section>
  )
}

export function Buttons() {
  return (
    <Section title="Buttons">
      <Row>
        <Button variant="primary" icon={<Icon of={Plus} />}>
          New flag
        </Button>
        <Button>Secondary</Button>
        <Button variant="quiet">Quiet</Button>
        <Button variant="danger">Delete project</Button>
        <Button variant="primary" busy>
          Saving it now
        </Button>
        <Button busy>Saving</Button>
        <Button disabledReason="Only owners may do this">Invite</Button>
        <Button variant="primary" disabledReason="Fill in the name first">
          Create
        </Button>
        <LinkButton href="#buttons" icon={<Icon of={Link2} />}>
          Documentation
        </LinkButton>
      </Row>
      <Row>
        <Button size="sm">Small</Button>
        <Button size="sm" variant="primary">
          Small
        </Button>
        <Button size="lg" variant="primary">
          Large primary
        </Button>
        <Button size="lg">Large</Button>
        <IconButton label="Edit" icon={<Icon of={Pencil} />} shortcut="e" />
        <IconButton label="Archive" icon={<Icon of={Archive} />} variant="secondary" />
        <IconButton label="Delete" icon={<Icon of={Trash2} />} size="sm" />
        <Tooltip label="Opens the command palette" shortcut="mod+K">
          <Button icon={<Icon of={Search} />}>Search</Button>
        </Tooltip>
        <KeyHint keys="mod+shift+K" />
        <KeyHint keys="g i" />
      </Row>
    </Section>
  )
}

const countries = [
  { value: 'de', label: 'Germany', hint: 'DE' },
  { value: 'fr', label: 'France', hint: 'FR' },
  { value: 'jp', label: 'Japan', hint: 'JP' },
  { value: 'br', label: 'Brazil', hint: 'BR' },
  { value: 'ke', label: 'Kenya', hint: 'KE' },
  { value: 'is', label: 'Iceland', hint: 'IS' },
]

const intervals = [
  { value: 'hour', label: 'Hour' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
] as const

export function Fields() {
  const [country, setCountry] = useState<string | null>('fr')
  const [several, setSeveral] = useState(['de', 'jp'])
  const [shown, setShown] = useState(true)

  return (
    <Section title="Fields">
      <Form>
        <FormError
          title="The project could not be created"
          fields={[{ id: 'address', message: 'The address is taken' }]}
        />
        <div className="grid items-start gap-x-8 gap-y-5 md:grid-cols-2">
          <Field label="Name" hint="As your members see it. It can be changed later.">
            <TextInput placeholder="Acme" defaultValue="Acme shop" />
          </Field>
          <Field label="Address" error="shop.example.com belongs to another project. Choose another address.">
            <TextInput id="address" prefix="https://" defaultValue="shop.example.com" />
          </Field>
          <Field label="E-mail" optional>
            <TextInput type="email" icon={<Icon of={Mail} />} placeholder="ana@example.com" />
          </Field>
          <Field label="Password">
            <PasswordInput defaultValue="correct horse" newPassword />
          </Field>
          <Field label="Time zone">
            <Select
              options={[
                {
                  label: 'Europe',
                  options: [
                    { value: 'Europe/Berlin', label: 'Berlin' },
                    { value: 'Europe/Lisbon', label: 'Lisbon' },
                  ],
                },
                { label: 'Asia', options: [{ value: 'Asia/Tokyo', label: 'Tokyo', hint: 'No summer time' }] },
              ]}
              defaultValue="Europe/Berlin"
            />
          </Field>
          <Field label="Rollout" hint="Shift and arrows step by ten.">
            <NumberInput defaultValue={25} min={0} max={100} unit="%" />
          </Field>
          <Field label="Country">
            <Combobox options={countries} value={country} onChange={setCountry} placeholder="Any country" />
          </Field>
          <Field label="Countries" hint="Visitors from any of these.">
            <MultiCombobox
              options={countries}
              values={several}
              onChange={setSeveral}
              placeholder="Any country"
              allowOther
            />
          </Field>
          <Field label="Description" optional>
            <Textarea placeholder="What is it for?" />
          </Field>
          <CopyField
            label="Secret key"
            value="phx_0123456789abcdef0123456789"
            secret
            hint="Shown once. Keep it on your server."
          />
          <RadioGroup
            label="Who takes part"
            boxed
            name="who"
            defaultValue="everyone"
            options={[
              { value: 'everyone', label: 'Everyone', hint: 'Every visitor, known or not.' },
              { value: 'some', label: 'Some', hint: 'Those who meet conditions.' },
            ]}
          />
          <RadioGroup
            label="Assign by"
            defaultValue="person"
            options={[
              { value: 'person', label: 'Person' },
              { value: 'device', label: 'Device', hint: 'Survives signing in and out.' },
              { value: 'group', label: 'Group', disabled: true },
            ]}
          />
          <div className="flex flex-col gap-3">
            <Checkbox
              label="Filter out test accounts"
              hint="Anyone with an address at your own domain."
              defaultChecked
            />
            <Checkbox label="Respect Do Not Track" />
            <Checkbox label="Some of them" indeterminate />
            <Checkbox label="I understand" error="Tick this to go on." />
          </div>
          <div className="flex flex-col gap-4">
            <Switch label="Enabled" checked={shown} onChange={setShown} />
            <Switch label="Public dashboard" hint="Anyone with the link can see the numbers." place="end" />
            <Switch label="Cannot be changed" disabled defaultChecked />
          </div>
        </div>
        <Row>
          <Button variant="primary" type="submit">
            Save changes
          </Button>
          <Button variant="quiet">Cancel</Button>
        </Row>
      </Form>
    </Section>
  )
}

export function Layers() {
  const say = useToast()
  const [theme, setTheme] = useState('system')
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const [told, setTold] = useState('Nothing chosen yet')
  useShortcut('mod+K', () => setPaletteOpen(true))

  return (
    <Section title="Layers">
      <Row>
        <Dialog
          title="Invite a member"
          description="They get an e-mail with a link that works for seven days."
          trigger={<Button>Open dialog</Button>}
          footer={
            <>
              <DialogClose>
                <Button>Cancel</Button>
              </DialogClose>
              <DialogClose>
                <Button variant="primary">Send invitation</Button>
              </DialogClose>
            </>
          }
        >
          <div className="flex flex-col gap-4">
            <Field label="E-mail address">
              <TextInput type="email" />
            </Field>
            <Field label="Role">
              <Select
                options={[
                  { value: 'member', label: 'Member' },
                  { value: 'owner', label: 'Owner' },
                ]}
                defaultValue="member"
              />
            </Field>
          </div>
        </Dialog>
        <Dialog
          title="Ana Lima"
          description="Person since 3 March"
          place="right"
          size="sm"
          trigger={<Button>Open panel</Button>}
        >
          <DescriptionList
            facts={[
              { term: 'Country', value: 'Portugal' },
              { term: 'First seen', value: '3 Mar 2026, 09:12' },
              { term: 'Distinct id', value: 'ana@example.com', mono: true },
            ]}
          />
        </Dialog>
        <AlertDialog
          title="Delete this project?"
          body="Every event, flag and survey of Acme shop goes with it. This cannot be undone."
          confirmLabel="Delete project"
          typeToConfirm="acme-shop"
          trigger={<Button variant="danger">Delete…</Button>}
          onConfirm={() => setTold('Deleted')}
        />
        <Menu
          trigger={<Button iconEnd={<Icon of={Ellipsis} />}>Open menu</Button>}
          entries={[
            { label: 'Edit', icon: <Icon of={Pencil} />, shortcut: 'e', onSelect: () => setTold('Edit') },
            { label: 'Duplicate', icon: <Icon of={Copy} />, onSelect: () => setTold('Duplicate') },
            { kind: 'link', label: 'Open the site', icon: <Icon of={Globe} />, href: '#site' },
            {
              kind: 'submenu',
              label: 'Theme',
              icon: <Icon of={Moon} />,
              entries: [
                {
                  kind: 'choice',
                  label: 'Theme',
                  value: theme,
                  onChange: setTheme,
                  options: [
                    { value: 'system', label: 'As the system' },
                    { value: 'light', label: 'Light' },
                    { value: 'dark', label: 'Dark' },
                  ],
                },
              ],
            },
            { kind: 'separator' },
            {
              label: 'Archive',
              icon: <Icon of={Archive} />,
              onSelect: () => undefined,
              disabledReason: 'It still runs',
            },
            {
              label: 'Delete',
              icon: <Icon of={Trash2} />,
              destructive: true,
              onSelect: () => setTold('Delete'),
            },
          ]}
        />
        <Popover label="Share" trigger={<Button>Open popover</Button>}>
          <div className="w-72">
            <CopyField label="Link" labelHidden value="https://example.com/share/9fk2" />
          </div>
        </Popover>
        <Button
          onClick={() =>
            say({
              title: 'Flag archived',
              body: 'new-checkout',
              tone: 'success',
              action: { label: 'Undo', onSelect: () => setTold('Undone') },
            })
          }
        >
          Show toast
        </Button>
        <Button onClick={() => say({ title: 'The engine does not answer', tone: 'danger' })}>
          Show bad news
        </Button>
        <Button onClick={() => setPaletteOpen(true)}>Open palette</Button>
        <output className="text-muted">{told}</output>
      </Row>
      <CommandPalette
        open={isPaletteOpen}
        onOpenChange={setPaletteOpen}
        groups={[
          {
            label: 'Do',
            commands: [
              {
                id: 'flag',
                label: 'New flag',
                icon: <Icon of={Flag} />,
                shortcut: 'c f',
                onSelect: () => setTold('New flag'),
              },
              {
                id: 'invite',
                label: 'Invite a member',
                icon: <Icon of={Mail} />,
                keywords: 'person colleague',
                onSelect: () => setTold('Invite'),
              },
            ],
          },
          {
            label: 'Go to',
            commands: [
              {
                id: 'insights',
                label: 'Insights',
                icon: <Icon of={Sprout} />,
                hint: 'Acme shop',
                href: '#insights',
              },
              { id: 'flags', label: 'Flags', icon: <Icon of={Flag} />, hint: 'Acme shop', href: '#flags' },
            ],
          },
        ]}
      />
    </Section>
  )
}

export function Views() {
  const [interval, setInterval] = useState<(typeof intervals)[number]['value']>('day')

  return (
    <Section title="Views">
      <Tabs
        label="Flag"
        tabs={[
          { value: 'rules', label: 'Rules', content: <p>Who gets what.</p> },
          { value: 'usage', label: 'Usage', count: 12, content: <p>How often it was asked for.</p> },
          { value: 'history', label: 'History', content: <p>Who changed it.</p> },
        ]}
      />
      <LinkTabs
        label="Project"
        tabs={[
          { href: '#overview', label: 'Overview', current: true },
          { href: '#events', label: 'Events', count: '12.3k' },
          { href: '#settings', label: 'Settings' },
        ]}
      />
      <Row>
        <SegmentedControl label="Interval" options={intervals} value={interval} onChange={setInterval} />
        <LinkTabs
          look="segment"
          label="Unit"
          tabs={[
            { href: '#visitors', label: 'Visitors', current: true },
            { href: '#views', label: 'Views' },
          ]}
        />
        <Select
          aria-label="Group by"
          lead="Group by"
          fit
          options={[
            { value: 'country', label: 'Country' },
            { value: 'browser', label: 'Browser' },
          ]}
          defaultValue="country"
        />
      </Row>
      <PagePagination label="Pages of posts" page={6} pages={20} href={(page) => `#page-${page}`} />
      <CursorPagination label="Pages of events" nextHref="#next">
        Showing 50 of about 12.3k
      </CursorPagination>
    </Section>
  )
}

type Source = { name: string; visitors: number; views: number; bounce: number; conversion: number }

const sources: Source[] = [
  { name: 'Direct', visitors: 12345, views: 31200, bounce: 0.412, conversion: 0.031 },
  { name: 'google.com', visitors: 8920, views: 15310, bounce: 0.533, conversion: 0.024 },
  { name: 'news.ycombinator.com', visitors: 4410, views: 5120, bounce: 0.781, conversion: 0.011 },
  { name: 'github.com', visitors: 1207, views: 3302, bounce: 0.298, conversion: 0.062 },
  { name: 'chatgpt.com', visitors: 640, views: 1288, bounce: 0.344, conversion: 0.048 },
]

const columns: TableColumn<Source>[] = [
  {
    key: 'name',
    header: 'Source',
    cell: (row) => row.name,
    sortable: true,
    share: (row) => row.visitors / 12345,
    truncate: true,
  },
  {
    key: 'visitors',
    header: 'Visitors',
    cell: (row) => compact(row.visitors),
    numeric: true,
    sortable: true,
  },
  { key: 'views', header: 'Views', cell: (row) => compact(row.views), numeric: true, sortable: true },
  { key: 'bounce', header: 'Bounce rate', cell: (row) => percent(row.bounce), numeric: true, wideOnly: true },
  { key: 'conversion', header: 'Conversion', cell: (row) => percent(row.conversion), numeric: true },
]

const sourceActions = (row: Source) => (
  <Menu
    align="end"
    trigger={<IconButton size="sm" label={`More about ${row.name}`} icon={<Icon of={Ellipsis} />} />}
    entries={[{ label: 'Exclude', onSelect: () => undefined }]}
  />
)

export function Tables() {
  const [sort, setSort] = useState<Sort>({ by: 'visitors', direction: 'descending' })
  const [opened, setOpened] = useState('')
  const rows = sources.toSorted((one, other) => compare(one, other, sort))

  return (
    <Section title="Tables">
      <Panel
        title="Sources"
        description="Where visits began"
        actions={<Button size="sm">Export</Button>}
        flush
        footer="5 of 214 sources"
      >
        <Table
          caption="Sources"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.name}
          sort={sort}
          onSort={setSort}
          onRowSelect={(row) => setOpened(row.name)}
          actions={sourceActions}
          totals={{ name: 'All', visitors: '27.5k', views: '56.2k' }}
          empty={<EmptyMessage title="No sources" />}
        />
      </Panel>
      <output className="sr-only">{opened && `Opened ${opened}`}</output>
      <div className="grid gap-4 lg:grid-cols-3">
        <Panel title="Empty" flush>
          <Table
            caption="Goals"
            columns={columns}
            rows={[]}
            rowKey={(row) => row.name}
            empty={
              <EmptyMessage
                icon={<Icon of={Sprout} size="lg" />}
                title="No goals yet"
                body="A goal is a page or an event that means success. Name one and every source shows its conversion."
                action={<Button variant="primary">Add a goal</Button>}
              />
            }
          />
        </Panel>
        <Panel title="Loading" flush>
          <Table
            caption="Pages"
            columns={columns.slice(0, 3)}
            rows={[]}
            rowKey={(row) => row.name}
            state="loading"
            empty={null}
          />
        </Panel>
        <Panel title="Failed" flush>
          <Table
            caption="Countries"
            columns={columns}
            rows={[]}
            rowKey={(row) => row.name}
            state="failed"
            failed={
              <FailedMessage
                title="Countries could not be counted"
                body="The engine took longer than 20 seconds. A shorter period usually helps."
                onRetry={() => undefined}
                reference="req_01HV5K"
              />
            }
            empty={null}
          />
        </Panel>
      </div>
    </Section>
  )
}

function compare(one: Source, other: Source, { by, direction }: Sort): number {
  const sign = direction === 'ascending' ? 1 : -1
  if (by === 'name') return sign * one.name.localeCompare(other.name)
  return sign * (by === 'views' ? one.views - other.views : one.visitors - other.visitors)
}

const snippet = `<script defer src="https://shop.example.com/_tilth/script.js"
  data-project="phc_9fK2lIl10O"></script>`

function Pieces() {
  return (
    <Section title="Pieces">
      <Row>
        <Badge>Draft</Badge>
        <Badge tone="accent">New</Badge>
        <Badge tone="success" dot>
          Running
        </Badge>
        <Badge tone="warning" dot>
          Paused
        </Badge>
        <Badge tone="danger" icon={<Icon of={Trash2} size="sm" />}>
          Failed
        </Badge>
        <Badge tone="info">Scheduled</Badge>
        <StatusDot tone="success" label="Healthy" />
        <Avatar name="Ana Lima" />
        <Avatar name="ben@example.com" size="sm" />
        <Avatar name="Chiyo Tanaka" size="lg" />
        <Spinner label="Loading" />
        <Spinner size="lg" label="Loading more" />
      </Row>
      <div className="grid gap-6 md:grid-cols-2">
        <div className="flex flex-col gap-4">
          <Progress label="Importing events" value={0.62} />
          <Progress label="Counting" />
          <Loading>
            <div className="flex flex-col gap-2">
              <Skeleton className="h-5 w-1/3" />
              <Skeleton />
              <Skeleton className="h-4 w-4/5" />
            </div>
          </Loading>
          <DescriptionList
            facts={[
              { term: 'Key', value: 'new-checkout', mono: true },
              { term: 'Created', value: '3 Mar 2026 by Ana Lima' },
              { term: 'Serves', value: 'control 50%, short 25%, long 25%' },
            ]}
          />
        </div>
        <div className="flex flex-col gap-4">
          <CodeBlock title="index.html" language="HTML" code={snippet} />
          <ShortcutSheet
            groups={[
              {
                label: 'Everywhere',
                shortcuts: [
                  { keys: 'mod+K', does: 'Search and commands' },
                  { keys: '?', does: 'This sheet' },
                ],
              },
              {
                label: 'Go to',
                shortcuts: [
                  { keys: 'g i', does: 'Insights' },
                  { keys: 'g f', does: 'Flags' },
                ],
              },
            ]}
          />
        </div>
      </div>
    </Section>
  )
}

function Messages() {
  return (
    <Section title="Messages">
      <Notice
        title="Numbers of the last hour are still arriving"
        action={<Button size="sm">Details</Button>}
      />
      <Notice tone="success" title="Your site is sending events">
        The first one came 3 minutes ago.
      </Notice>
      <Notice tone="warning" title="The engine is restarting">
        Events are accepted and kept meanwhile. Charts come back by themselves.
      </Notice>
      <Notice tone="danger" title="The disk is almost full" />
    </Section>
  )
}
