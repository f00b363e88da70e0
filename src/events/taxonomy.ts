import type { EventColumns } from './event'

/** Decides how values of a property are compared and shown. In the engine all but numeric columns are text. */
export type PropertyType = 'text' | 'number' | 'boolean' | 'time' | 'list'

/** A property every project knows, by the name SDKs send it under. */
export interface StandardProperty {
  label: string
  type: PropertyType
  /** The engine's column; without one, it is in the map of properties. */
  column?: keyof EventColumns
  /** A description, if the label is not enough. */
  about?: string
}

/** An event every project knows. */
interface StandardEvent {
  label: string
  about: string
  /** An event that no one sends on purpose; lists show it after those of the project's own, folded. */
  isSystem?: true
  /** A system event about nothing that a visitor did, which lists to choose from leave out. */
  isAuxiliary?: true
}

export const standardEvents = {
  $pageview: { label: 'Page view', about: 'A visitor opened a page, or navigated to it within the site.' },
  $pageleave: {
    label: 'Page leave',
    about: 'A visitor left a page; includes reading time and scroll depth.',
    isSystem: true,
  },
  $engagement: {
    label: 'Engagement',
    about: 'Reading time and scroll depth of a page.',
    isSystem: true,
    isAuxiliary: true,
  },
  $screen: { label: 'Screen view', about: 'A visitor opened a screen of an app.' },
  $autocapture: {
    label: 'Autocapture',
    about: 'A click, change or form submit, captured automatically.',
    isSystem: true,
  },
  $rageclick: { label: 'Rage click', about: 'Several clicks on one spot within a second.', isSystem: true },
  $dead_click: { label: 'Dead click', about: 'A click without effect.', isSystem: true },
  $copy_autocapture: { label: 'Copied text', about: 'Text of the page was copied or cut.', isSystem: true },
  $$heatmap: {
    label: 'Heatmap data',
    about: 'Where on a page people pointed and clicked.',
    isSystem: true,
    isAuxiliary: true,
  },
  $web_vitals: {
    label: 'Web vitals',
    about: 'Loading speed, responsiveness and layout stability.',
    isSystem: true,
  },
  $exception: { label: 'Exception', about: 'An error in the site or the server.' },
  $outbound_click: { label: 'Outbound link', about: 'A click on a link to another site.' },
  $file_download: { label: 'File download', about: 'A file was downloaded.' },
  $form_submit: { label: 'Form submitted', about: 'A form was submitted.' },
  $not_found: { label: 'Page not found', about: 'A visitor requested a page that does not exist.' },
  $identify: { label: 'Identify', about: 'A visitor was identified as a person.', isSystem: true },
  $create_alias: {
    label: 'Alias',
    about: 'Two ids were linked to one person.',
    isSystem: true,
    isAuxiliary: true,
  },
  $merge_dangerously: {
    label: 'Merge',
    about: 'Two persons were merged.',
    isSystem: true,
    isAuxiliary: true,
  },
  $set: {
    label: 'Person properties',
    about: 'Properties of a person were set.',
    isSystem: true,
    isAuxiliary: true,
  },
  $groupidentify: {
    label: 'Group properties',
    about: 'Properties of a group were set.',
    isSystem: true,
    isAuxiliary: true,
  },
  $feature_flag_called: {
    label: 'Feature flag called',
    about: 'A flag was evaluated for a visitor; the exposure of an experiment.',
    isSystem: true,
  },
  $feature_flag_seen: {
    label: 'Feature flag viewed',
    about: 'Content of a flag came into view.',
    isSystem: true,
    isAuxiliary: true,
  },
  $feature_enrollment_update: {
    label: 'Early access opt-in',
    about: 'A person joined or left an early access feature.',
  },
  'survey shown': { label: 'Survey shown', about: 'A survey was seen.', isSystem: true },
  'survey sent': { label: 'Survey answered', about: 'A survey was answered, wholly or in part.' },
  'survey dismissed': {
    label: 'Survey dismissed',
    about: 'A survey was closed without an answer.',
    isSystem: true,
  },
  'survey abandoned': { label: 'Survey abandoned', about: 'A survey was begun and left.', isSystem: true },
  $letter_subscribed: {
    label: 'Subscribed to newsletter',
    about: 'A person confirmed a subscription to a list.',
  },
  $letter_delivered: {
    label: 'Newsletter delivered',
    about: 'The mail server accepted a newsletter to a subscriber.',
    isSystem: true,
  },
  $letter_clicked: { label: 'Newsletter clicked', about: 'A subscriber opened a link of a newsletter.' },
  $letter_unsubscribed: { label: 'Newsletter unsubscribed', about: 'A subscriber unsubscribed from a list.' },
  $letter_bounced: {
    label: 'Newsletter bounced',
    about: 'A newsletter could not be delivered to its address.',
    isSystem: true,
  },
  $opt_in: { label: 'Opt-in', about: 'A visitor opted in to tracking.', isSystem: true, isAuxiliary: true },
  $$client_ingestion_warning: {
    label: 'SDK warning',
    about: 'An SDK dropped events.',
    isSystem: true,
    isAuxiliary: true,
  },
} satisfies Record<string, StandardEvent>

/** The columns first, under the names by which insights, flags and SDKs know them. */
export const standardProperties = {
  $traffic: {
    label: 'Traffic',
    type: 'text',
    column: 'traffic',
    about: 'People, AI crawlers, other bots or feed readers.',
  },
  $host: { label: 'Host', type: 'text', column: 'host' },
  $pathname: { label: 'Path', type: 'text', column: 'path' },
  title: { label: 'Page title', type: 'text', column: 'title' },
  $referrer: {
    label: 'Referrer',
    type: 'text',
    column: 'referrer',
    about: 'The previous page, without its query.',
  },
  $referring_domain: {
    label: 'Referring host',
    type: 'text',
    column: 'referrer_host',
    about: 'The site that referred the visitor; empty for the site’s own pages.',
  },
  $source: {
    label: 'Source',
    type: 'text',
    column: 'source',
    about: 'The name of the referring search engine, network, campaign source or site.',
  },
  $channel_type: {
    label: 'Channel',
    type: 'text',
    column: 'channel',
    about:
      'Google Analytics’ default channel group plus AI assistants, or PostHog’s channel types: Settings → Collection.',
  },
  utm_source: { label: 'UTM source', type: 'text', column: 'utm_source' },
  utm_medium: { label: 'UTM medium', type: 'text', column: 'utm_medium' },
  utm_campaign: { label: 'UTM campaign', type: 'text', column: 'utm_campaign' },
  utm_content: { label: 'UTM content', type: 'text', column: 'utm_content' },
  utm_term: { label: 'UTM term', type: 'text', column: 'utm_term' },
  $click_id: {
    label: 'Click id',
    type: 'text',
    column: 'click_id',
    about: 'The name of an advertiser’s click id in the address, such as gclid. Its value is never kept.',
  },
  $geoip_country_code: { label: 'Country', type: 'text', column: 'country' },
  $geoip_subdivision_1_name: { label: 'Region', type: 'text', column: 'region' },
  $geoip_city_name: { label: 'City', type: 'text', column: 'city' },
  $browser: { label: 'Browser', type: 'text', column: 'browser' },
  $browser_version: {
    label: 'Browser version',
    type: 'text',
    column: 'browser_version',
    about: 'Major version.',
  },
  $os: { label: 'Operating system', type: 'text', column: 'os' },
  $os_version: { label: 'System version', type: 'text', column: 'os_version', about: 'Major version.' },
  $device_type: { label: 'Device', type: 'text', column: 'device' },
  $screen: { label: 'Screen size', type: 'text', column: 'screen' },
  $browser_language: { label: 'Language', type: 'text', column: 'language' },
  $lib: { label: 'Library', type: 'text', column: 'lib', about: 'The SDK that sent the event.' },
  $lib_version: { label: 'Library version', type: 'text', column: 'lib_version' },
  $revenue: { label: 'Revenue', type: 'number', column: 'revenue' },
  $currency: { label: 'Currency', type: 'text', column: 'currency' },
  $engaged_ms: {
    label: 'Engagement time',
    type: 'number',
    column: 'engaged_ms',
    about: 'Milliseconds the page was in view; of $prev_pageview_pathname if the event has one.',
  },
  $scroll_depth: {
    label: 'Scroll depth',
    type: 'number',
    column: 'scroll_depth',
    about: 'Percentage of the page that was seen; of $prev_pageview_pathname if the event has one.',
  },
  $elements_chain: {
    label: 'Elements',
    type: 'text',
    column: 'elements',
    about: 'The clicked element and its ancestors.',
  },
  $current_url: {
    label: 'Page address',
    type: 'text',
    about: 'Without secrets, click ids and the part after #.',
  },
  $prev_pageview_pathname: { label: 'Previous path', type: 'text' },
  $event_type: { label: 'Kind of interaction', type: 'text' },
  $el_text: { label: 'Element text', type: 'text' },
  $external_click_url: { label: 'Clicked link', type: 'text' },
  $screen_name: { label: 'Screen name', type: 'text' },
  $device_id: {
    label: 'Device id',
    type: 'text',
    about: 'Stored if it differs from the distinct id.',
  },
  $is_identified: { label: 'Is identified', type: 'boolean' },
  $timezone: { label: 'Time zone', type: 'text' },
  $viewport_width: { label: 'Viewport width', type: 'number' },
  $viewport_height: { label: 'Viewport height', type: 'number' },
  $app_version: { label: 'App version', type: 'text' },
  $feature_flag: { label: 'Flag', type: 'text' },
  $feature_flag_response: { label: 'Flag response', type: 'text' },
  $active_feature_flags: { label: 'Active flags', type: 'list' },
  $survey_id: { label: 'Survey id', type: 'text' },
  $survey_name: { label: 'Survey name', type: 'text' },
  $survey_response: { label: 'Survey response', type: 'text' },
  $letter_id: { label: 'Letter id', type: 'text' },
  $letter_title: { label: 'Letter title', type: 'text' },
  $letter_subject: { label: 'Letter subject', type: 'text' },
  $letter_variant: { label: 'Letter subject variant', type: 'text' },
  $letter_list: { label: 'Letter list', type: 'text' },
  $letter_link: { label: 'Letter link', type: 'text', about: 'The address that a clicked link leads to.' },
  $exception_list: { label: 'Exceptions', type: 'list' },
  $exception_level: { label: 'Exception level', type: 'text' },
  $web_vitals_LCP_value: { label: 'Largest contentful paint (ms)', type: 'number' },
  $web_vitals_INP_value: { label: 'Interaction to next paint (ms)', type: 'number' },
  $web_vitals_CLS_value: { label: 'Cumulative layout shift', type: 'number' },
  $web_vitals_FCP_value: { label: 'First contentful paint (ms)', type: 'number' },
  $web_vitals_TTFB_value: { label: 'Time to first byte (ms)', type: 'number' },
  $claimed_time: {
    label: 'Claimed time',
    type: 'time',
    about: 'The time the sender claimed. It was impossible, so the arrival time is used.',
  },
} satisfies Record<string, StandardProperty>

const events = new Map<string, StandardEvent>(Object.entries(standardEvents))
const properties = new Map<string, StandardProperty>(Object.entries(standardProperties))

/** Returns the label of a standard event, or the event's own name. */
export const eventLabel = (name: string): string => events.get(name)?.label ?? name

export const eventAbout = (name: string): string | undefined => events.get(name)?.about

export const isSystemEvent = (name: string): boolean => events.get(name)?.isSystem === true

export const systemEvents: readonly string[] = Object.keys(standardEvents).filter(isSystemEvent)

export const isAuxiliaryEvent = (name: string): boolean => events.get(name)?.isAuxiliary === true

export const standardProperty = (name: string): StandardProperty | undefined => properties.get(name)

/** Properties of persons that Tilth computes from their earliest page view. */
const firstTouchLabels: Readonly<Record<string, string>> = {
  $initial_channel_type: 'First-touch channel',
  $initial_source: 'First-touch source',
}

/** Returns the label of a property. Labels of flag properties and initial properties are derived. */
export function propertyLabel(name: string): string {
  const known = properties.get(name)
  if (known) return known.label
  if (name.startsWith('$feature/')) return `Flag: ${name.slice('$feature/'.length)}`
  if (Object.hasOwn(firstTouchLabels, name)) return firstTouchLabels[name] ?? name
  if (name.startsWith('$initial_')) return `Initial ${lowerFirst(initialPropertyLabel(name))}`
  return name
}

/** Returns the column of a property; undefined if it is in the map of properties. */
export const columnOf = (name: string): keyof EventColumns | undefined => properties.get(name)?.column

function initialPropertyLabel(name: string): string {
  const rest = name.slice('$initial_'.length)
  return properties.get(`$${rest}`)?.label ?? properties.get(rest)?.label ?? rest
}

/** Lower-cases the first letter; "UTM source" keeps its capitals. */
const lowerFirst = (label: string): string =>
  /^[A-Z][a-z]/.test(label) ? label.charAt(0).toLowerCase() + label.slice(1) : label

/** The labels of the kinds of traffic. */
export const trafficLabels = { human: 'People', ai: 'AI', bot: 'Bots', feed: 'Feed readers' } as const

/** The attribution link for pages that show countries or cities, required by the data's licence (CC BY 4.0). */
export const placesAttribution = { text: 'IP Geolocation by DB-IP', href: 'https://db-ip.com' } as const
