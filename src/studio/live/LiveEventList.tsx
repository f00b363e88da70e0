'use client'

import { clsx } from 'clsx'
import { Radio, SearchX } from 'lucide-react'
import { memo, type RefObject } from 'react'
import type { LiveEvent } from '#events/live-event'
import type { PersonLabel } from '#insights/people/person-label'
import { Button } from '#ui/Button'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { number, time } from '#ui/format'
import { Icon } from '#ui/Icon'
import { LinkButton } from '#ui/LinkButton'
import { Panel } from '#ui/page/Panel'
import { Loading, Skeleton } from '#ui/page/Skeleton'
import { PersonName } from '#studio/parts/PersonName'
import { paths } from '#studio/paths'
import { receivedAtOf, maxShown, type LiveFeedEntry } from './feed'
import type { LiveProject } from './LiveView'
import { isNarrowed, type LiveFilter } from './list-filter'
import { LiveEventIcon, TrafficBadge } from './LiveEventIcon'
import { labelOfPerson, type PersonLabels } from './person-labels'
import { subjectOf, titleOf, whoOf } from './live-event-labels'
import type { SetLiveFilter } from './use-live-filter'

interface LiveEventListProps {
  project: LiveProject
  rows: readonly LiveFeedEntry[]
  labels: PersonLabels
  filter: LiveFilter
  ask: SetLiveFilter
  list: RefObject<HTMLOListElement | null>
  isOpening: boolean
  skipped: number
  onOpen: (id: number) => void
}

export function LiveEventList({ rows, labels, list, project, onOpen, ...rest }: LiveEventListProps) {
  return (
    <Panel flush footer={<Foot shown={rows.length} skipped={rest.skipped} />}>
      {rows.length === 0 ? (
        <NoLiveEvents project={project} {...rest} />
      ) : (
        <ol ref={list} aria-label="Events, newest first" className="divide-y divide-line">
          {rows.map((entry) => (
            <Row
              key={entry.id}
              seen={entry}
              person={labelOfPerson(entry.liveEvent, labels)}
              timeZone={project.timeZone}
              onOpen={onOpen}
            />
          ))}
        </ol>
      )}
    </Panel>
  )
}

/** Rows out of sight are not laid out; on narrow screens a row has two lines. */
const rowClass = clsx(
  'relative grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 px-4 py-2',
  'transition-colors [contain-intrinsic-size:auto_2.75rem] [content-visibility:auto] hover:bg-hover',
  'has-[button:focus-visible]:outline-2 has-[button:focus-visible]:-outline-offset-2',
  'has-[button:focus-visible]:outline-focus',
  'md:grid-cols-[minmax(0,4fr)_minmax(0,4fr)_minmax(0,5fr)_4rem]',
)

/** Drawn once: what has come does not change any more, except for its person's name. */
const Row = memo(function Row({
  seen: { id, liveEvent },
  person,
  timeZone,
  onOpen,
}: {
  seen: LiveFeedEntry
  person: PersonLabel | undefined
  timeZone: string
  onOpen: (id: number) => void
}) {
  const at = receivedAtOf(liveEvent)
  return (
    <li className={rowClass}>
      <button
        type="button"
        onClick={() => onOpen(id)}
        className="flex min-w-0 items-center gap-2.5 text-left font-medium outline-none after:absolute after:inset-0"
      >
        <LiveEventIcon kind={liveEvent.kind} />
        <span className="truncate">{titleOf(liveEvent)}</span>
        <Traffic liveEvent={liveEvent} />
      </button>
      <span className="truncate text-muted max-md:order-last max-md:col-span-2 max-md:pl-4.5 max-md:text-xs">
        {subjectOf(liveEvent)}
      </span>
      <span className="flex min-w-0 items-center gap-2 text-muted max-md:order-last max-md:col-span-2 max-md:pl-4.5 max-md:text-xs">
        {person && (
          <span className="min-w-0 shrink-0 text-ink">
            <PersonName label={person} />
          </span>
        )}
        <span className="min-w-0 truncate max-md:hidden">{whoOf(liveEvent)}</span>
      </span>
      <time dateTime={at} className="text-right text-xs text-faint tabular-nums">
        {time(at, timeZone)}
      </time>
    </li>
  )
})

function Traffic({ liveEvent }: { liveEvent: LiveEvent }) {
  const kind = liveEvent.kind === 'stored' ? liveEvent.columns.traffic : undefined
  return kind && <TrafficBadge kind={kind} />
}

function Foot({ shown, skipped }: { shown: number; skipped: number }) {
  return (
    <p>
      {number(shown)} shown; up to {maxShown} are listed.
      {skipped > 0 && ` ${number(skipped)} arrived too fast to list. They are stored.`}
    </p>
  )
}

function NoLiveEvents({
  project,
  filter,
  ask,
  isOpening,
}: Pick<LiveEventListProps, 'project' | 'filter' | 'ask' | 'isOpening'>) {
  if (isOpening) return <Places />
  if (isNarrowed(filter))
    return (
      <EmptyMessage
        icon={<Icon of={SearchX} size="lg" />}
        title="No matching events"
        body="Matching events appear here as they arrive."
        action={
          <Button onClick={() => ask({ kind: undefined, name: undefined, find: undefined })}>
            Clear filters
          </Button>
        }
      />
    )
  return (
    <EmptyMessage
      icon={<Icon of={Radio} size="lg" />}
      title="No recent events"
      body="Events appear here as they arrive. No events at all? Connect a site."
      action={<LinkButton href={paths.connect(project.slug)}>Connect a site</LinkButton>}
    />
  )
}

function Places() {
  return (
    <Loading label="Connecting">
      <div className="flex flex-col gap-6 p-4">
        {['w-2/3', 'w-1/2', 'w-3/5', 'w-2/5'].map((width) => (
          <Skeleton key={width} className={`h-3.5 ${width}`} />
        ))}
      </div>
    </Loading>
  )
}
