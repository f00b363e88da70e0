import type { LiveEvent, StoredLiveEvent } from '#events/live-event'
import { eventLabel } from '#events/taxonomy'
import { slugFrom } from '#projects/slug'
import { paths } from '#studio/paths'
import { testEvent } from '#studio/live/live-event-labels'

/** Kinds of things that are made of a first visit. */
export const cardKinds = ['goal', 'flag', 'survey'] as const
export type CardKind = (typeof cardKinds)[number]

/** A thing to make of what a visitor saw or clicked, by a form that is filled in. */
export interface FirstCard {
  id: string
  kind: CardKind
  title: string
  about: string
  href: string
  /** A line for the page, without which nothing happens there. */
  code?: string
}

interface FirstVisitTraces {
  slug: string
  /** Arrived events and requests, oldest first. */
  liveEvents: readonly LiveEvent[]
  /** The names of the buttons of the page; texts of a stranger. */
  buttons: readonly string[]
}

export function firstCards({ slug, liveEvents, buttons }: FirstVisitTraces): FirstCard[] {
  const events = liveEvents.filter(
    (event): event is StoredLiveEvent => event.kind === 'stored' && event.name !== testEvent,
  )
  const page = events.findLast(({ columns }) => columns.path)?.columns.path ?? '/'
  const button = clickedText(events) ?? buttons[0]
  return [
    goalOfEvents(slug, events, page),
    ...(button === undefined ? [] : [goalOfButton(slug, button)]),
    button === undefined ? flagOnPage(slug, page) : flagOnButton(slug, button),
    {
      id: 'survey',
      kind: 'survey',
      title: `Survey on ${page}`,
      about: 'A question to the visitors of this page.',
      href: paths.newSurvey(slug, { page }),
    },
  ]
}

/** SDKs that record clicks by themselves send the text of what was clicked. */
const clickedText = (events: readonly StoredLiveEvent[]): string | undefined =>
  events
    .findLast(({ name, properties }) => name === '$autocapture' && properties['$el_text']?.trim())
    ?.properties['$el_text']?.trim()
    .slice(0, longestText)

const longestText = 40

/** Events that a visitor causes by a click, besides those that a site names itself. */
const clickEvents: ReadonlySet<string> = new Set(['$outbound_click', '$file_download', '$form_submit'])

function goalOfEvents(slug: string, events: readonly StoredLiveEvent[], page: string): FirstCard {
  const event = events.findLast(({ name }) => !name.startsWith('$') || clickEvents.has(name))?.name
  if (event === undefined)
    return {
      id: 'goal',
      kind: 'goal',
      title: `Goal: visits of ${page}`,
      about: 'Counts the visitors who see this page.',
      href: paths.newGoal(slug, { name: `Visits of ${page}`, page }),
    }
  const label = eventLabel(event)
  return {
    id: 'goal',
    kind: 'goal',
    title: `Goal: ${label}`,
    about: 'Counts the visitors with this event.',
    href: paths.newGoal(slug, { name: label, event }),
  }
}

function goalOfButton(slug: string, button: string): FirstCard {
  const event = keyOf(button)
  return {
    id: 'button-goal',
    kind: 'goal',
    title: `Goal: clicks on “${button}”`,
    about: 'Counts the visitors who click. Add the attribute to the button.',
    href: paths.newGoal(slug, { name: `Clicks on “${button}”`, event }),
    code: `<button data-tilth-event="${event}">${escaped(button)}</button>`,
  }
}

function flagOnButton(slug: string, button: string): FirstCard {
  const key = keyOf(button)
  return {
    id: 'flag',
    kind: 'flag',
    title: `Flag on “${button}”`,
    about: 'Shows the button only where the flag is on. Add the attributes to it.',
    href: paths.newFlag(slug, { key }),
    code: `<button data-tilth-flag="${key}" hidden>${escaped(button)}</button>`,
  }
}

function flagOnPage(slug: string, page: string): FirstCard {
  const key = page === '/' ? 'home' : keyOf(page)
  return {
    id: 'flag',
    kind: 'flag',
    title: `Flag on ${page}`,
    about: 'Shows a part of the page only where the flag is on.',
    href: paths.newFlag(slug, { key }),
    code: `<div data-tilth-flag="${key}" hidden>What it turns on</div>`,
  }
}

/** A key of letters, digits and dashes; names in other scripts have none of their own. */
const keyOf = (name: string): string => (/[a-z]/i.test(name) ? slugFrom(name) : 'button')

/** A stranger's text must not become markup in a page that the line is put into. */
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
