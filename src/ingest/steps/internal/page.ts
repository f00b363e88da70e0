import type { EventColumns, Properties } from '#events/event'
import { type PageQuery, parsePageUrl } from './addresses'
import { clickIds, isSecretValue } from './secrets'
import { sanitizeText } from './sanitize'
import { truncate, textOf, type IngestStep, type PipelineDraft } from './step'

const utms = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'] as const
const longestName = 200

/** Placeholders of templates and scripts for missing values. */
const placeholders = new Set(['null', 'undefined', '(not set)', 'none', 'nan'])

const withoutPlaceholder = (text: string): string =>
  text === '' || placeholders.has(text.toLowerCase()) ? '' : text

/** Returns a value of the address that the client sends as a property, or else reads it from the address; '' if absent. */
export function addressValue({ event, page }: Pick<PipelineDraft, 'event' | 'page'>, name: string): string {
  const sent = withoutPlaceholder(textOf(event.properties, name))
  return sent || withoutPlaceholder(sanitizeText(page?.query?.get(name)?.trim() ?? ''))
}

/** Reads the page's address without secrets, the campaign in it, and the kind of click id in it. */
export const readUrl: IngestStep = (draft, { rules }) => {
  const { properties } = draft.event
  draft.page = parsePageUrl(textOf(properties, '$current_url'), rules.hashRouting)
  if (draft.page) setPage(draft, draft.page)
  else readHostAndPath(draft, properties)
  for (const utm of utms) readCampaign(draft, utm)
  readClick(draft)
  const title = textOf(properties, 'title') || textOf(properties, '$title')
  if (title !== '') draft.columns.title = truncate(title, 500)
}

function setPage(draft: PipelineDraft, page: { host: string; path: string }): void {
  draft.columns.host = page.host
  draft.columns.path = page.path
}

/** Servers and apps may send host and path without a full address. */
function readHostAndPath(draft: PipelineDraft, properties: Properties): void {
  const host = textOf(properties, '$host').toLowerCase()
  const path = textOf(properties, '$pathname')
  const page = path.startsWith('/') ? parsePageUrl(`https://${host || 'unknown'}${path}`, false) : undefined
  if (page) draft.columns.path = page.path
  if (host !== '' && /^[^\s/@?#]+$/.test(host)) draft.columns.host = truncate(host, longestName)
}

function readCampaign(draft: PipelineDraft, utm: (typeof utms)[number] & keyof EventColumns): void {
  const value = addressValue(draft, utm)
  if (value !== '' && !isSecretValue(value)) draft.columns[utm] = truncate(value, longestName)
}

function readClick(draft: PipelineDraft): void {
  const { properties } = draft.event
  const query = clickIdsIn(draft.page?.query)
  for (const name of clickIds) {
    const value = withoutPlaceholder(textOf(properties, name)) || withoutPlaceholder(query?.get(name) ?? '')
    if (value === '') continue
    draft.columns.click_id = name
    return
  }
}

/** Finds click ids of any case, such as Snapchat's `ScCid`. Returns undefined at once for most queries, which have none. */
function clickIdsIn(query: PageQuery | undefined): ReadonlyMap<string, string> | undefined {
  let found: Map<string, string> | undefined
  for (const [key, value] of query ?? []) {
    const name = key.toLowerCase()
    if (clickIds.has(name)) found = (found ?? new Map<string, string>()).set(name, value)
  }
  return found
}
