import { columnOf } from '#events/taxonomy'
import { memoize } from './memoize'
import { isClickId } from './secrets'

/**
 * The rule for a property, by its name. `never`: private, always dropped. `elsewhere`: stored in a column, or of no use
 * after prepare. The other rules keep the property and say how to clean it.
 */
export type PropertyRule = 'never' | 'elsewhere' | 'page' | 'referrer' | 'address' | 'plain'

/** Properties that identify a person, a device or a place too precisely. */
const neverStored = parseWords(`
  $ip $initial_ip ip_address $user_agent $useragent user_agent
  $geoip_latitude $geoip_longitude $geoip_accuracy_radius $geoip_postal_code
`)

/** Properties for the server or the SDK itself, and those stored elsewhere in an event. */
const storedElsewhere = parseWords(`
  token distinct_id $insert_id $time $sent_at $set $set_once $unset $add $increment $groups $group_set
  $session_id $anon_distinct_id $user_id $process_person_profile $ignore_sent_at $geoip_disable $cookieless_mode
  $lib_custom_api_host $lib_rate_limit_remaining_tokens $config_defaults $sdk_dist_channel $initialization_time
  $configured_session_timeout_ms $recording_status $feature_flag_payloads
  $feature_flag_definitions_loaded_at $elements $ce_version $is_server $screen_width $screen_height
  $browser_language_prefix $import $title $initial_person_info $exception_capture_endpoint sessionRecordingUrl
`)

/** Random values as long as the event's id, without further use: window ids matter only to recordings. */
const randomIds = parseWords('$pageview_id $window_id $feature_flag_request_id')

function parseWords(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/))
}

/**
 * Prefixes and suffixes of such properties. Session-start values are on the session's first event; values of the
 * previous page are in columns.
 */
const storedElsewherePattern =
  /^\$(?:sdk_debug_|debug_|sess_rec_|snapshot_|session_entry_|session_recording_|replay_|geoip_|event_time_override_|prev_pageview_(?!pathname$))|_server_side$/

export const propertyRuleOf = memoize(20_000, (name: string): PropertyRule => {
  if (neverStored.has(name) || name.endsWith('raw_user_agent') || isClickIdOf(name)) return 'never'
  if (storedElsewhere.has(name) || randomIds.has(name) || columnOf(name) !== undefined) return 'elsewhere'
  if (storedElsewherePattern.test(name)) return 'elsewhere'
  // the ids of questions end as they like
  if (name.startsWith('$survey_response')) return 'plain'
  return addressRuleOf(name)
})

/** Matches click ids, also with the prefixes for initial and session-start values. */
function isClickIdOf(name: string): boolean {
  return isClickId(name.replace(/^\$(?:initial_|session_entry_|current_)/, ''))
}

function addressRuleOf(name: string): PropertyRule {
  if (/current_?url$/i.test(name)) return 'page'
  if (/referr?er$/i.test(name)) return 'referrer'
  return /(?:url|uri|href|link|path|pathname|location|search|query)$/i.test(name) ? 'address' : 'plain'
}

/** Persons and groups have no columns, so every property that may be stored is kept. */
export const personPropertyRuleOf = (name: string): PropertyRule =>
  propertyRuleOf(name) === 'never' ? 'never' : addressRuleOf(name)
