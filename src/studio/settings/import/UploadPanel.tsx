'use client'

import { type ReactNode, useState } from 'react'
import type { ImportUpload, UploadPreview } from '#imports/uploads/upload'
import { Button } from '#ui/Button'
import { type Description, DescriptionList } from '#ui/DescriptionList'
import { bytes, dateTime, number, percent } from '#ui/format'
import { Field } from '#ui/form/Field'
import { TextInput } from '#ui/form/TextInput'
import { AlertDialog } from '#ui/overlay/AlertDialog'
import { Notice } from '#ui/page/Notice'
import { Panel } from '#ui/page/Panel'
import { Progress } from '#ui/Progress'
import { useDirectChange } from '#studio/parts/Change'
import { discardUpload, previewUpload, startImport } from './import-actions'

type ShownUpload = Pick<
  ImportUpload,
  'id' | 'files' | 'state' | 'until' | 'rows' | 'preview' | 'problem' | 'createdBy'
> & {
  label: string
  received: readonly number[]
  /** Rows that its import has read so far. */
  rowsImported: number
}

interface UploadPanelProps {
  slug: string
  timeZone: string
  upload: ShownUpload
}

/** Files that were uploaded: how far they are, what would come of them, and what to do next. */
export function UploadPanel(props: UploadPanelProps) {
  const { upload } = props
  const { files, label, createdBy } = upload
  const total = files.reduce((sum, { bytes: size }) => sum + size, 0)
  const Body = bodies[upload.state]
  return (
    <Panel
      title={`${label}: ${titleOf(files)}`}
      description={`${bytes(total)}, uploaded by ${createdBy}`}
      actions={<Discard {...props} />}
    >
      <Body {...props} />
    </Panel>
  )
}

const titleOf = (files: ShownUpload['files']): string => {
  const [first] = files
  return files.length > 1 ? `${first?.name} and ${files.length - 1} more` : (first?.name ?? '')
}

const bodies: Record<ShownUpload['state'], (props: UploadPanelProps) => ReactNode> = {
  receiving: Receiving,
  previewing: Previewing,
  previewed: Previewed,
  importing: Importing,
  interrupted: Interrupted,
}

function Receiving({ upload: { files, received } }: UploadPanelProps) {
  const total = files.reduce((sum, { bytes: size }) => sum + size, 0)
  const arrived = received.reduce((sum, size) => sum + size, 0)
  return (
    <div className="flex flex-col gap-2">
      <Progress label={`${bytes(arrived)} of ${bytes(total)} received`} value={arrived} max={total || 1} />
      <p className="text-muted">If the upload broke off, choose the same files again above to continue it.</p>
    </div>
  )
}

function Previewing({ upload: { rows } }: UploadPanelProps) {
  return (
    <Progress label={rows > 0 ? `Reading the files: ${number(rows)} rows so far` : 'Reading the files'} />
  )
}

function Importing({ upload: { preview, rowsImported } }: UploadPanelProps) {
  const rows = preview?.rows ?? 0
  return (
    <Progress
      label={`Importing: ${number(rowsImported)} of ${number(rows)} rows`}
      value={rowsImported}
      max={rows || 1}
    />
  )
}

function Interrupted({ slug, upload: { id, problem, rowsImported } }: UploadPanelProps) {
  const { make, question } = useDirectChange()
  return (
    <Notice
      tone="warning"
      title={`The import broke off after ${number(rowsImported)} rows`}
      action={
        <Button onClick={() => void make(() => startImport(slug, id), { saved: 'The import continues' })}>
          Continue
        </Button>
      }
    >
      {problem} Undo below deletes what is there.
      {question}
    </Notice>
  )
}

function Previewed({ slug, timeZone, upload }: UploadPanelProps) {
  const { id, preview, until } = upload
  const [cutOver, setCutOver] = useState('')
  const { make, question } = useDirectChange()
  const [problem, setProblem] = useState<string>()
  if (!preview) return undefined

  async function run(change: Parameters<typeof make>[0], saved?: string) {
    setProblem((await make(change, { ...(saved !== undefined && { saved }) }))?.error)
  }

  return (
    <div className="flex flex-col gap-4">
      {question}
      {(problem ?? preview.problem) !== undefined && (
        <Notice tone="danger" title="These files cannot be imported">
          {problem ?? preview.problem}
        </Notice>
      )}
      <DescriptionList facts={factsOf(preview, until, timeZone)} />
      <div className="flex flex-wrap items-end gap-2">
        <Button
          variant="primary"
          disabledReason={whyNotStarted(preview)}
          onClick={() => void run(() => startImport(slug, id), 'The import has begun')}
        >
          {importLabel(preview)}
        </Button>
        <div className="ml-auto flex flex-wrap items-end gap-2">
          <Field label="Leave out events from">
            <TextInput
              type="datetime-local"
              value={cutOver}
              onChange={({ target }) => setCutOver(target.value)}
            />
          </Field>
          <Button onClick={() => void run(() => previewUpload(slug, id, cutOver))}>Preview again</Button>
        </div>
      </div>
    </div>
  )
}

function importLabel({ events, sums, profiles }: UploadPreview): string {
  if (profiles > 0 && events === 0) return `Import ${number(profiles)} people and groups`
  if (sums > 0 && events === 0) return `Import ${number(sums)} daily totals`
  return events === 1 ? 'Import 1 event' : `Import ${number(events)} events`
}

function whyNotStarted({ problem, events, sums, profiles }: UploadPreview): string | undefined {
  if (problem !== undefined) return 'The files could not be read to their end.'
  return events + sums + profiles === 0 ? 'The files have nothing to import.' : undefined
}

function factsOf(preview: UploadPreview, until: Date | undefined, timeZone: string): Description[] {
  const { rows, events, repeated, sums, profiles, firstAt, lastAt, dropped, names, nameCount, there } =
    preview
  const at = (instant: string) => dateTime(new Date(instant), timeZone)
  return [
    { term: 'Rows read', value: number(rows) },
    { term: 'Events to import', value: number(events) },
    ...(repeated > 0 ? [{ term: 'Copies of these events', value: number(repeated) }] : []),
    ...(sums > 0 ? [{ term: 'Daily totals to import', value: number(sums) }] : []),
    ...(profiles > 0 ? [{ term: 'People and groups to import', value: number(profiles) }] : []),
    ...(there ? [{ term: 'Already there', value: thereInWords(there, events) }] : []),
    ...(firstAt !== undefined && lastAt !== undefined
      ? [{ term: 'Period', value: `${at(firstAt)} to ${at(lastAt)}` }]
      : []),
    ...(until ? [{ term: 'Cut-over', value: dateTime(until, timeZone) }] : []),
    {
      term: 'Left out',
      value: <Counts counts={Object.entries(dropped)} none="No rows" />,
    },
    {
      term:
        nameCount > names.length ? `Events, ${names.length} of ${number(nameCount)} names` : 'Events by name',
      value: <Counts counts={names.map(({ name, events: amount }) => [name, amount])} none="None" />,
    },
  ]
}

/** All events of a small file are looked up, and of a large one some. */
function thereInWords({ lookedUp, found }: NonNullable<UploadPreview['there']>, events: number): string {
  if (lookedUp >= events) return found === 0 ? 'None' : number(found)
  const share = found / lookedUp
  return found === 0
    ? `None of ${number(lookedUp)} that were looked up`
    : `About ${number(Math.round(share * events))} (${percent(share)} of ${number(lookedUp)} that were looked up)`
}

const Counts = ({ counts, none }: { counts: readonly (readonly [string, number])[]; none: string }) =>
  counts.length === 0 ? (
    none
  ) : (
    <ul>
      {counts.map(([name, amount]) => (
        <li key={name} className="flex gap-2">
          <span className="min-w-16 text-right tabular-nums">{number(amount)}</span>
          <span className="min-w-0 break-words">{name}</span>
        </li>
      ))}
    </ul>
  )

function Discard({ slug, upload: { id, files, state } }: UploadPanelProps) {
  const { make, question } = useDirectChange()
  return (
    <AlertDialog
      title="Discard the uploaded files?"
      body={
        <>
          {state === 'importing' || state === 'interrupted'
            ? 'The import stops, and stays in the list below as not ended. Undo it there to delete what is imported.'
            : 'Nothing of them is imported yet.'}
          {question}
        </>
      }
      confirmLabel="Discard"
      onConfirm={() => make(() => discardUpload(slug, id), { saved: 'Files discarded' })}
      trigger={
        <Button size="sm" variant="quiet" aria-label={`Discard ${titleOf(files)}`}>
          Discard…
        </Button>
      }
    />
  )
}
