import type { ReactNode } from 'react'
import { type CollectionState, describeTrouble } from '#ingest/collection-state'
import type { BackupReport } from '#backups/backup-report'
import { Badge, type Tone } from '#ui/Badge'
import { type Description, DescriptionList } from '#ui/DescriptionList'
import { bytes } from '#ui/format'
import { Panel } from '#ui/page/Panel'
import { type Clock, RelativeTime } from '#studio/parts/RelativeTime'
import type { Examination } from './examine'

/** The health of Tilth's parts, as seen by the process that draws these pages. */
export function HealthPanel({
  examination,
  collection,
  backups,
  clock,
  actions,
}: {
  examination: Examination
  collection: CollectionState | undefined
  backups: BackupReport
  clock: Clock
  actions: ReactNode
}) {
  const { instance, memoryBytes, startedAt } = examination
  return (
    <Panel
      title="Health"
      description="As seen by the process of this page. All details are at /_tilth/ready."
      actions={actions}
    >
      <DescriptionList
        facts={[
          { term: 'Store', value: <Store {...examination.store} /> },
          { term: 'Engine', value: <Engine health={examination.engine} clock={clock} /> },
          { term: 'Collection', value: <Collection state={collection} /> },
          { term: 'Backups', value: <Backups report={backups} clock={clock} /> },
          { term: 'Pages started', value: <RelativeTime at={startedAt} clock={clock} /> },
          { term: 'Memory of the pages', value: bytes(memoryBytes) },
          { term: 'Instance', value: instance, mono: true } satisfies Description,
        ]}
      />
    </Panel>
  )
}

function Store(store: Examination['store']) {
  return store.answers ? (
    <State tone="success" word="Ready">
      answered in {store.ms.toFixed(1)} ms
    </State>
  ) : (
    <State tone="danger" word="Unreachable">
      {store.why}
    </State>
  )
}

const tones: Record<string, Tone> = {
  ready: 'success',
  starting: 'info',
  restarting: 'warning',
  unreachable: 'danger',
  stopped: 'danger',
}

function Engine({ health, clock }: { health: Examination['engine']; clock: Clock }) {
  if (!health) {
    return (
      <State tone="neutral" word="Unknown">
        No report from the front server yet.
      </State>
    )
  }
  const { status, version, since, trouble } = health
  return (
    <State tone={tones[status] ?? 'neutral'} word={status.charAt(0).toUpperCase() + status.slice(1)}>
      {trouble ?? (version ? `ClickHouse ${version}` : 'ClickHouse')}, since{' '}
      <RelativeTime at={since} clock={clock} />
    </State>
  )
}

function Collection({ state }: { state: CollectionState | undefined }) {
  const { tone, word, text } = collectionSummary(state)
  return (
    <State tone={tone} word={word}>
      {text}
    </State>
  )
}

function Backups({ report, clock }: { report: BackupReport; clock: Clock }) {
  const { tone, word, text, lastDone } = backupSummary(report, clock.now)
  return (
    <State tone={tone} word={word}>
      {text}{' '}
      {lastDone && (
        <>
          {text && 'Last backup: '}
          <RelativeTime at={lastDone.at} clock={clock} /> {lastDone.where}
        </>
      )}
    </State>
  )
}

function State({ tone, word, children }: { tone: Tone; word: string; children: ReactNode }) {
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Badge tone={tone} dot>
        {word}
      </Badge>
      <span className="text-muted">{children}</span>
    </span>
  )
}

interface BackupSummary {
  tone: Tone
  word: string
  /** Shown in front of the time of the last backup that was done, where there is one. */
  text: string
  lastDone: { at: Date; where: string } | undefined
}

/** A backup that is late by less than this is only slow. */
const lateAfterPeriods = 2

const remedy = 'docs/backups.md explains how to set them up.'

export function backupSummary({ plan, lastDone, last }: BackupReport, now: Date): BackupSummary {
  const done = lastDone && {
    at: lastDone.askedAt,
    where: `to ${lastDone.target}${lastDone.bytes === undefined ? '' : `, ${bytes(lastDone.bytes)}`}`,
  }
  const say = (tone: Tone, word: string, text: string): BackupSummary => ({
    tone,
    word,
    text,
    lastDone: done,
  })
  if (last?.state === 'failed')
    return say('danger', 'Failed', `The last attempt failed: ${last.trouble ?? 'the log says why.'}`)
  if (last?.state === 'done' && last.trouble !== undefined) return say('danger', 'Damaged', last.trouble)
  if (!plan)
    return done
      ? say('warning', 'Not scheduled', `TILTH_BACKUP is not set, so no backups are scheduled. ${remedy}`)
      : say('warning', 'Not set up', `No backups. Set TILTH_BACKUP; ${remedy}`)
  if (!done) return say('info', 'Waiting', `No backup yet; the first one goes to ${plan.place}.`)
  if (now.getTime() - done.at.getTime() > lateAfterPeriods * plan.everyMs)
    return say('warning', 'Late', 'Backups are overdue. Run tilth backup to see why.')
  return say('success', 'Done', '')
}

/** The state of collection in one line; the notice above the page has the remedies. */
export function collectionSummary(state: CollectionState | undefined): {
  tone: Tone
  word: string
  text: string
} {
  if (!state) return { tone: 'neutral', word: 'Unknown', text: 'No report from the front server yet.' }
  if (state.troubles.length === 0)
    return { tone: 'success', word: 'Ready', text: 'events are received and stored' }
  const words = state.troubles.map(describeTrouble)
  const isStuck = words.some(({ blocks }) => blocks)
  const text = words.map(({ title }) => `${title}.`).join(' ')
  return isStuck ? { tone: 'danger', word: 'Stuck', text } : { tone: 'warning', word: 'Degraded', text }
}
