'use client'

import { Pause, Play } from 'lucide-react'
import { useReducer, useState, useEffect, useEffectEvent, useRef, type RefObject } from 'react'
import { Button } from '#ui/Button'
import { Icon } from '#ui/Icon'
import { KeyHint } from '#ui/keyboard/KeyHint'
import { Notice } from '#ui/page/Notice'
import { Page } from '#ui/page/Page'
import { number } from '#ui/format'
import { useShortcut } from '#ui/keyboard/shortcut'
import { paths } from '#studio/paths'
import { VisuallyHidden } from '#ui/VisuallyHidden'
import { applyChange, type Feed, emptyFeed, type LiveFeedEntry } from './feed'
import { useLiveStream } from './use-live-stream'
import { LiveFilters } from './LiveFilters'
import { LiveState } from './LiveState'
import { matchesFilter } from './list-filter'
import { LiveEventList } from './LiveEventList'
import { LiveEventPanel } from './LiveEventPanel'
import { OutcomeCounts } from './OutcomeCounts'
import { labelOfPerson } from './person-labels'
import { useLiveFilter } from './use-live-filter'
import { usePersonLabels } from './use-person-labels'
import { titleOf } from './live-event-labels'

/** The parts of a project that its live page needs. */
export interface LiveProject {
  slug: string
  name: string
  timeZone: string
  key: string
  hosts: readonly string[]
}

export function LiveView({ project }: { project: LiveProject }) {
  const [feed, happen] = useReducer(applyChange, emptyFeed)
  const connection = useLiveStream(project.slug, happen)
  const { question, ask } = useLiveFilter(project.slug)
  const labels = usePersonLabels(project.slug, feed.shown)
  const found = feed.shown.filter(({ liveEvent }) =>
    matchesFilter(liveEvent, question, labelOfPerson(liveEvent, labels)),
  )
  const [opened, setOpened] = useState<number>()
  const openedEvent = feed.shown.find(({ id }) => id === opened)?.liveEvent
  const list = useRows({ rows: found, opened, open: setOpened })
  const turn = () => happen({ what: feed.isPaused ? 'resumed' : 'paused' })
  useShortcut('p', turn)

  return (
    <Page
      title="Live"
      badge={<LiveState connection={connection} isPaused={feed.isPaused} />}
      description="Events as they arrive."
      breadcrumbs={[{ label: project.name, href: paths.project(project.slug) }]}
      actions={<PauseButton feed={feed} onPress={turn} />}
    >
      {connection === 'lost' && (
        <Notice tone="warning" title="Connection lost, reconnecting">
          Missed events appear after reconnecting. If it takes long, reload the page: you may be signed out.
        </Notice>
      )}
      <LiveFilters filter={question} ask={ask} seen={feed.shown} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_17rem]">
        <LiveEventList
          {...{ project, filter: question, ask, list }}
          rows={found}
          labels={labels}
          isOpening={connection === 'opening'}
          skipped={feed.skipped}
          onOpen={setOpened}
        />
        <OutcomeCounts seen={feed.shown} project={project} ask={ask} />
      </div>
      <LiveEventPanel
        liveEvent={openedEvent}
        person={openedEvent && labelOfPerson(openedEvent, labels)}
        project={project}
        close={() => setOpened(undefined)}
      />
      <Announcer feed={feed} />
    </Page>
  )
}

function PauseButton({ feed: { isPaused, heldCount }, onPress }: { feed: Feed; onPress: () => void }) {
  return (
    <Button icon={<Icon of={isPaused ? Play : Pause} />} iconEnd={<Key />} onClick={onPress}>
      {pauseLabel(isPaused, heldCount)}
    </Button>
  )
}

function pauseLabel(isPaused: boolean, heldCount: number): string {
  if (!isPaused) return 'Pause'
  return heldCount > 0 ? `Resume (${number(heldCount)} waiting)` : 'Resume'
}

const Key = () => (
  <span className="text-faint max-sm:hidden">
    <KeyHint keys="p" />
  </span>
)

/** Summarises events for screen readers: announcing each would drown everything else. */
const announceEveryMs = 5000

/** Announces now and then the number of new events, and the last one. */
function Announcer({ feed }: { feed: Feed }) {
  const [announcement, setAnnouncement] = useState('')
  const announcedCount = useRef(0)

  const tell = useEffectEvent(() => {
    const count = feed.nextId - announcedCount.current
    const [last] = feed.shown
    if (count === 0 || feed.isPaused || !last) return
    announcedCount.current = feed.nextId
    setAnnouncement(`${number(count)} new. The last: ${titleOf(last.liveEvent)}.`)
  })

  useEffect(() => {
    const clock = setInterval(tell, announceEveryMs)
    return () => clearInterval(clock)
  }, [])

  return (
    <output aria-label="News" aria-live="polite">
      <VisuallyHidden>{announcement}</VisuallyHidden>
    </output>
  )
}

interface OpenedRow {
  rows: readonly LiveFeedEntry[]
  opened: number | undefined
  open: (id: number) => void
}

/** `j` and `k` go through the rows; where one is open, they open its neighbours. */
function useRows({ rows, opened, open }: OpenedRow): RefObject<HTMLOListElement | null> {
  const list = useRef<HTMLOListElement>(null)

  function move(by: 1 | -1) {
    if (opened === undefined) return focusNext(list.current, by)
    const index = rows.findIndex(({ id }) => id === opened)
    const next = rows[index + by]
    if (index >= 0 && next) open(next.id)
  }

  useShortcut('j', () => move(1))
  useShortcut('k', () => move(-1))
  return list
}

function focusNext(list: HTMLElement | null, by: 1 | -1) {
  const buttons = [...(list?.querySelectorAll('button') ?? [])]
  const index = buttons.findIndex((button) => button === document.activeElement)
  const next = index < 0 ? buttons[0] : buttons[index + by]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}
