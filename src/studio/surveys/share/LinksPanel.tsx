'use client'

import { Link as LinkIcon, Plus, Trash2 } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { csvOf } from '#insights/csv'
import type { SurveyLinkState } from '#surveys/links/survey-link'
import { Badge } from '#ui/Badge'
import { Button } from '#ui/Button'
import { CopyField } from '#ui/copy/CopyField'
import { Field } from '#ui/form/Field'
import { Select } from '#ui/form/Select'
import { Textarea } from '#ui/form/Textarea'
import { TextInput } from '#ui/form/TextInput'
import { Icon } from '#ui/Icon'
import { IconButton } from '#ui/IconButton'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { DialogClose } from '#ui/overlay/Dialog'
import { FormDialog } from '#ui/overlay/FormDialog'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { Notice } from '#ui/page/Notice'
import { Panel } from '#ui/page/Panel'
import type { TableColumn } from '#ui/table/column'
import { Table } from '#ui/table/Table'
import { useChange, useDirectChange } from '#studio/parts/Change'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import { createLinks, revokeLink } from './actions'

const DownloadableQrCode = lazy(async () => ({
  default: (await import('./DownloadableQrCode')).DownloadableQrCode,
}))

interface LinkRow {
  id: string
  recipient: string
  state: SurveyLinkState
  createdAt: Date
  answeredAt: Date | undefined
}

interface LinksContext {
  slug: string
  survey: string
  clock: Clock
  whyNot: string | undefined
}

const stateLabels: Record<SurveyLinkState, string> = {
  unused: 'Unused',
  begun: 'Begun',
  answered: 'Answered',
  expired: 'Expired',
  revoked: 'Revoked',
}

const columnsFor = (clock: Clock): TableColumn<LinkRow>[] => [
  { key: 'recipient', header: 'Recipient', truncate: true, cell: ({ recipient }) => recipient || '–' },
  {
    key: 'state',
    header: 'State',
    cell: ({ state }) => (
      <Badge tone={state === 'answered' ? 'success' : 'neutral'}>{stateLabels[state]}</Badge>
    ),
  },
  {
    key: 'answered',
    header: 'Answered',
    cell: ({ answeredAt }) => (answeredAt ? <RelativeTime at={answeredAt} clock={clock} /> : '–'),
  },
  {
    key: 'created',
    header: 'Created',
    wideOnly: true,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} clock={clock} />,
  },
]

const actionsFor = (context: LinksContext) => (link: LinkRow) =>
  (link.state === 'unused' || link.state === 'begun') && <RevokeLink link={link} {...context} />

/** Links that take one answer each. */
export function LinksPanel({ links, ...context }: LinksContext & { links: readonly LinkRow[] }) {
  return (
    <Panel
      flush
      title="Personal links"
      description="Each link takes one response. Opening it does not use it."
      actions={
        <span className="flex gap-2">
          {links.length > 0 && <DownloadCsv name="links.csv" rows={listRows(links)} label="Export CSV" />}
          <CreateLinks {...context} />
        </span>
      }
    >
      <Table
        caption="Personal links"
        columns={columnsFor(context.clock)}
        rows={links}
        rowKey={({ id }) => id}
        empty={
          <EmptyMessage
            icon={<Icon of={LinkIcon} size="lg" />}
            title="No links yet"
            body="Create one per recipient to see who responded, with one response each."
          />
        }
        actions={actionsFor(context)}
      />
    </Panel>
  )
}

const listRows = (links: readonly LinkRow[]): string[][] => [
  ['Id', 'Recipient', 'State', 'Answered'],
  ...links.map(({ id, recipient, state, answeredAt }) => [
    id,
    recipient,
    stateLabels[state],
    answeredAt?.toISOString() ?? '',
  ]),
]

function DownloadCsv({ name, rows, label }: { name: string; rows: readonly string[][]; label: string }) {
  const [head = [], ...body] = rows
  function download() {
    const columns = head.map((column) => ({ name: column, as: 'text' as const }))
    const file = new Blob([csvOf({ columns, rows: body })], { type: 'text/csv' })
    const anchor = document.createElement('a')
    anchor.href = URL.createObjectURL(file)
    anchor.download = name
    anchor.click()
    URL.revokeObjectURL(anchor.href)
  }
  return (
    <Button size="sm" onClick={download}>
      {label}
    </Button>
  )
}

const lifetimes = [
  { value: '', label: 'Never' },
  { value: '7', label: 'After 7 days' },
  { value: '30', label: 'After 30 days' },
  { value: '90', label: 'After 90 days' },
]

type MadeLinks = Extract<Awaited<ReturnType<typeof createLinks>>, { done: true }>['links']

function CreateLinks({ slug, survey, whyNot }: LinksContext) {
  const [isOpen, setOpen] = useState(false)
  const [made, setMade] = useState<MadeLinks>()
  const { form, isPending, notes, forget } = useChange({
    change: (formData) => createLinks(slug, survey, formData),
    onDone: ({ links }) => setMade(links),
  })
  function show(open: boolean) {
    setOpen(open)
    if (!open) return
    forget()
    setMade(undefined)
  }
  return (
    <FormDialog
      title={made ? 'Copy the links now' : 'New links'}
      open={isOpen}
      onOpenChange={show}
      trigger={
        <Button variant="primary" size="sm" icon={<Icon of={Plus} />} disabledReason={whyNot}>
          New links…
        </Button>
      }
      form={form}
      isPending={isPending}
      submit="Create links"
      outcome={made && { body: <MadeLinksView links={made} />, footer: <Done /> }}
    >
      {notes}
      <Field label="Number of links" name="count" hint="Without recipients.">
        <TextInput type="number" defaultValue="1" min={1} max={1000} />
      </Field>
      <Field
        label="Or recipients"
        name="people"
        optional
        hint="One per line: name, e-mail address, distinct id, as in “Ana, ana@example.com, user-7”."
      >
        <Textarea rows={4} />
      </Field>
      <Field label="Expires" name="days">
        <Select options={lifetimes} defaultValue="" />
      </Field>
    </FormDialog>
  )
}

const Done = () => (
  <DialogClose>
    <Button variant="primary">Done</Button>
  </DialogClose>
)

function MadeLinksView({ links }: { links: MadeLinks }) {
  const [first] = links
  const rows = [
    ['Id', 'Recipient', 'E-mail', 'Distinct id', 'Address'],
    ...links.map(({ id, label, email, distinctId, address }) => [id, label, email, distinctId, address]),
  ]
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warning" title="Links are shown only once">
        Copy them before you close this dialog.
      </Notice>
      {links.length === 1 && first ? (
        <>
          <CopyField label="Link" value={first.address} />
          <Suspense>
            <DownloadableQrCode text={first.address} name="link" />
          </Suspense>
        </>
      ) : (
        <DownloadCsv name="new-links.csv" rows={rows} label={`Download ${links.length} links as CSV`} />
      )}
    </div>
  )
}

function RevokeLink({ link, slug, survey, whyNot }: LinksContext & { link: LinkRow }) {
  const { make, question } = useDirectChange()
  return (
    <AlertDialog
      title="Revoke this link?"
      body={<>It accepts no response from now on. This cannot be undone.{question}</>}
      confirmLabel="Revoke link"
      onConfirm={() => make(() => revokeLink(slug, survey, link.id), { saved: 'Link revoked' })}
      trigger={
        <IconButton
          label={`Revoke the link of ${link.recipient || 'no recipient'}`}
          icon={<Icon of={Trash2} />}
          disabledReason={whyNot}
        />
      }
    />
  )
}
