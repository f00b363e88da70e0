import type { EventColumns, Properties } from '../../events/event'
import { readPage } from './addresses'
import { clickIds, isSecretValue } from './secrets'
import { tidyText } from './tidy'
import { cut, textOf, type Step, type Underway } from './step'

const utms = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const
const longestName = 200

/** What templates and scripts write when they have nothing to say. */
const nothing = new Set(['', 'null', 'undefined', '(not set)', 'none', 'nan'])

/** The page's address without its secrets, the campaign in it, and the name of the click that led to it. */
export const readUrl: Step = (draft, { rules }) => {
  const { properties } = draft.event
  draft.page = readPage(textOf(properties, '$current_url'), rules.hashRouting)
  if (draft.page) placeOn(draft, draft.page)
  else readPlaceParts(draft, properties)
  for (const utm of utms) readCampaign(draft, utm)
  readClick(draft)
  const title = textOf(properties, 'title') || textOf(properties, '$title')
  if (title !== '') draft.columns.title = cut(title, 500)
}

function placeOn(draft: Underway, page: { host: string; path: string }): void {
  draft.columns.host = page.host
  draft.columns.path = page.path
}

/** Servers and apps may know the host and the path without an address around them. */
function readPlaceParts(draft: Underway, properties: Properties): void {
  const host = textOf(properties, '$host').toLowerCase()
  const path = textOf(properties, '$pathname')
  const page = path.startsWith('/') ? readPage(`https://${host || 'unknown'}${path}`, false) : undefined
  if (page) draft.columns.path = page.path
  if (host !== '' && /^[^\s/@?#]+$/.test(host)) draft.columns.host = cut(host, longestName)
}

function readCampaign(draft: Underway, utm: (typeof utms)[number] & keyof EventColumns): void {
  const said = textOf(draft.event.properties, utm) || tidyText(draft.page?.query?.get(utm)?.trim() ?? '')
  if (!nothing.has(said.toLowerCase()) && !isSecretValue(said)) draft.columns[utm] = cut(said, longestName)
}

function readClick(draft: Underway): void {
  const { properties } = draft.event
  const query = withClickIds(draft.page?.query)
  for (const name of clickIds) {
    const value = textOf(properties, name) || (query?.get(name) ?? '')
    if (nothing.has(value.toLowerCase())) continue
    draft.columns.click_id = name
    return
  }
}

/** Most queries have none, and need not be searched for each of them. */
function withClickIds(query: URLSearchParams | undefined): URLSearchParams | undefined {
  for (const name of query?.keys() ?? []) if (clickIds.has(name)) return query
  return undefined
}
