import type { EventColumns } from './event'

/** How the values of a property are compared and shown. In the engine all but numeric columns are text. */
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
export interface StandardEvent {
  label: string
  about: string
  /** Technical events, which lists to choose from leave out. */
  isAuxiliary?: true
}

export const standardEvents = {
  $pageview: { label: 'Page view', about: 'A visitor opened a page, or navigated to it within the site.' },
  $pageleave: {
    label: 'Page leave',
    about: 'A visitor left a page; includes reading time and scroll depth.',
  },
  $engagement: {
    label: 'Engagement',
    about: 'How long a page was looked at, and how far down.',
    isAuxiliary: true,
  },
  $screen: { label: 'Screen view', about: 'A visitor opened a screen of an app.' },
  $autocapture: {
    label: 'Click or change',
    about: 'A click, a change or a sent form, recorded without code.',
  },
  $rageclick: { label: 'Rage click', about: 'Several clicks on one spot within a second.' },
  $dead_click: { label: 'Dead click', about: 'A click that nothing came of.' },
  $copy_autocapture: { label: 'Copied text', about: 'Text of the page was copied or cut.' },
  $$heatmap: {
    label: 'Heatmap data',
    about: 'Where on a page people pointed and clicked.',
    isAuxiliary: true,
  },
  $web_vitals: { label: 'Web vitals', about: 'How fast a page loaded, answered and came to rest.' },
  $exception: { label: 'Exception', about: 'An error in the site or the server.' },
  $outbound_click: { label: 'Outbound link', about: 'A link to another site was followed.' },
  $file_download: { label: 'File download', about: 'A file was downloaded.' },
  $form_submit: { label: 'Form sent', about: 'A form was sent.' },
  $not_found: { label: 'Page not found', about: 'A visitor requested a page that does not exist.' },
  $identify: { label: 'Identify', about: 'A visitor turned out to be a known person.' },
  $create_alias: { label: 'Alias', about: 'Two ids turned out to be the same person.', isAuxiliary: true },
  $merge_dangerously: { label: 'Merge', about: 'Two persons were made one.', isAuxiliary: true },
  $set: { label: 'Person properties', about: 'Something became known about a person.', isAuxiliary: true },
  $groupidentify: {
    label: 'Group properties',
    about: 'Something became known about a group.',
    isAuxiliary: true,
  },
  $feature_flag_called: {
    label: 'Flag called',
    about: 'A flag was decided for a visitor; an experiment’s exposure.',
  },
  $feature_flag_seen: {
    label: 'Flag seen',
    about: 'A browser told that what a flag decided had come into view.',
    isAuxiliary: true,
  },
  $feature_enrollment_update: {
    label: 'Early access choice',
    about: 'A person joined or left an early access feature.',
  },
  'survey shown': { label: 'Survey shown', about: 'A survey was seen.' },
  'survey sent': { label: 'Survey answered', about: 'A survey was answered, wholly or in part.' },
  'survey dismissed': { label: 'Survey dismissed', about: 'A survey was closed without an answer.' },
  'survey abandoned': { label: 'Survey abandoned', about: 'A survey was begun and left.' },
  $opt_in: { label: 'Opt-in', about: 'A visitor agreed to be followed.', isAuxiliary: true },
  $$client_ingestion_warning: {
    label: 'SDK warning',
    about: 'An SDK sent less than it was asked to.',
    isAuxiliary: true,
  },
} satisfies Record<string, StandardEvent>

/** The columns first, under the names by which insights, flags and SDKs know them. */
export const standardProperties = {
  $traffic: {
    label: 'Traffic',
    type: 'text',
    column: 'traffic',
    about: 'People, AI crawlers and assistants, other robots, or feed readers.',
  },
  $host: { label: 'Host', type: 'text', column: 'host' },
  $pathname: { label: 'Path', type: 'text', column: 'path' },
  title: { label: 'Page title', type: 'text', column: 'title' },
  $referrer: {
    label: 'Referrer',
    type: 'text',
    column: 'referrer',
    about: 'The page before, without its query.',
  },
  $referring_domain: {
    label: 'Referring host',
    type: 'text',
    column: 'referrer_host',
    about: 'The site that sent the visitor; empty for pages of the site’s own.',
  },
  $source: {
    label: 'Source',
    type: 'text',
    column: 'source',
    about: 'Who sent the visitor, by name: a search engine, a network, a campaign’s source, or a site.',
  },
  $channel_type: {
    label: 'Channel',
    type: 'text',
    column: 'channel',
    about: 'Google Analytics’ default channel group, with AI assistants as a channel of their own.',
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
    about: 'The major one.',
  },
  $os: { label: 'Operating system', type: 'text', column: 'os' },
  $os_version: { label: 'System version', type: 'text', column: 'os_version', about: 'The major one.' },
  $device_type: { label: 'Device', type: 'text', column: 'device' },
  $screen: { label: 'Screen size', type: 'text', column: 'screen' },
  $browser_language: { label: 'Language', type: 'text', column: 'language' },
  $lib: { label: 'Library', type: 'text', column: 'lib', about: 'What sent the event.' },
  $lib_version: { label: 'Library version', type: 'text', column: 'lib_version' },
  $revenue: { label: 'Revenue', type: 'number', column: 'revenue' },
  $currency: { label: 'Currency', type: 'text', column: 'currency' },
  $engaged_ms: {
    label: 'Engagement time',
    type: 'number',
    column: 'engaged_ms',
    about:
      'Milliseconds for which the page was looked at; of $prev_pageview_pathname where the event names one.',
  },
  $scroll_depth: {
    label: 'Scroll depth',
    type: 'number',
    column: 'scroll_depth',
    about: 'How much of the page was seen, in percent; of $prev_pageview_pathname where the event names one.',
  },
  $elements_chain: {
    label: 'Elements',
    type: 'text',
    column: 'elements',
    about: 'What was clicked, and what it is in.',
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
    about: 'Kept where it is another than the distinct id.',
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
    about: 'What the sender said the time was; it cannot be true, so the time of arrival was taken.',
  },
} satisfies Record<string, StandardProperty>

const events = new Map<string, StandardEvent>(Object.entries(standardEvents))
const properties = new Map<string, StandardProperty>(Object.entries(standardProperties))

/** Returns the label of a standard event, or the event's own name. */
export const eventLabel = (name: string): string => events.get(name)?.label ?? name

export const eventAbout = (name: string): string | undefined => events.get(name)?.about

export const isAuxiliaryEvent = (name: string): boolean => events.get(name)?.isAuxiliary === true

export const standardProperty = (name: string): StandardProperty | undefined => properties.get(name)

/** Returns the label of a property. Labels of flag properties and initial properties are derived. */
export function propertyLabel(name: string): string {
  const known = properties.get(name)
  if (known) return known.label
  if (name.startsWith('$feature/')) return `Flag: ${name.slice('$feature/'.length)}`
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
export const trafficLabels = { human: 'People', ai: 'AI', bot: 'Robots', feed: 'Feed readers' } as const

/** The attribution link for pages that show countries or cities, required by the data's licence (CC BY 4.0). */
export const placesAttribution = { text: 'IP Geolocation by DB-IP', href: 'https://db-ip.com' } as const
